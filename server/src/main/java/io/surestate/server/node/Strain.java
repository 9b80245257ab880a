package io.surestate.server.node;

import io.surestate.api.v1.Telemetry;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * The signs that a node is hot or busy. A sign appears above one bound and goes away only below a lower one, so that a node that hovers at a bound
 * does not change sides with each heartbeat. Immutable.
 */
record Strain(Set<Sign> signs) {
    static final Strain NONE = new Strain(Set.of());

    /** In the units of {@link Telemetry}. Full use of what is given out is no strain: a node whose cores are all busy has a load of 1,000. */
    enum Sign {
        LOAD(1_500, 1_200, Telemetry::getLoadMilli),
        NETWORK(900, 700, Telemetry::getNetworkMilli),
        TEMPERATURE(85, 78, Telemetry::getTemperatureCelsius),
        POWER(950, 880, Telemetry::getPowerMilli);

        private final int from;
        private final int below;
        // A constant's own value: never changed.
        @SuppressWarnings("ImmutableEnumChecker")
        private final ToIntFunction<Telemetry> reading;

        Sign(int from, int below, ToIntFunction<Telemetry> reading) {
            this.from = from;
            this.below = below;
            this.reading = reading;
        }

        private boolean shows(Telemetry now, boolean before) {
            return reading.applyAsInt(now) >= (before ? below : from);
        }
    }

    Strain {
        signs = Set.copyOf(signs);
    }

    Strain after(Telemetry now) {
        EnumSet<Sign> shown = EnumSet.noneOf(Sign.class);
        for (Sign sign : Sign.values()) {
            if (sign.shows(now, signs.contains(sign))) {
                shown.add(sign);
            }
        }
        return new Strain(shown);
    }

    /** Whether the node is about to harm itself or what runs there. */
    boolean severe() {
        return signs.contains(Sign.TEMPERATURE) || signs.contains(Sign.POWER);
    }

    /** How many signs there are. */
    int level() {
        return signs.size();
    }
}
