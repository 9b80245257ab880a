package io.surestate.statemachine.node;

import io.surestate.api.Limits;
import io.surestate.api.v1.DeviceFalls;
import io.surestate.api.v1.NodeStatus;
import io.surestate.api.v1.Quarantine;
import io.surestate.api.v1.Settings;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The devices of one node that are not given out, while that changes. A device that fell ill is one, until it is well and nobody holds any of it; from the
 * second time on also until it has been well for its hold-down, which doubles each time. So a device that flaps changes what is given out at most three times
 * within one hold-down. Used within one decision.
 */
final class Quarantines {
    private static final int DOUBLINGS_MAX = 30;

    private final Settings settings;
    private final long nowMillis;
    private final TreeMap<Integer, Quarantine> all = new TreeMap<>();
    private final TreeMap<Integer, DeviceFalls> falls = new TreeMap<>();

    Quarantines(NodeStatus status, Settings settings, long nowMillis) {
        this.settings = settings;
        this.nowMillis = nowMillis;
        status.getQuarantinedList().forEach(quarantine -> all.put(quarantine.getOrdinal(), quarantine));
        status.getDeviceFallsList().forEach(fallen -> falls.put(fallen.getOrdinal(), fallen));
    }

    /** Ordinals. */
    Set<Integer> devices() {
        return new TreeSet<>(all.keySet());
    }

    /** The device is ill; without a reason it says that it was reported so. */
    void ill(int ordinal, String reason) {
        Quarantine before = all.get(ordinal);
        if (before == null) {
            fell(ordinal);
            all.put(
                    ordinal,
                    Quarantine.newBuilder()
                            .setOrdinal(ordinal)
                            .setReason(reason.isEmpty() ? "reported unhealthy" : reason)
                            .setSinceMillis(nowMillis)
                            .build());
        } else {
            all.put(ordinal, before.toBuilder().clearUntilMillis().clearServed().build());
        }
    }

    private void fell(int ordinal) {
        DeviceFalls before = falls.getOrDefault(ordinal, DeviceFalls.getDefaultInstance());
        falls.put(
                ordinal,
                DeviceFalls.newBuilder()
                        .setOrdinal(ordinal)
                        .setFalls(isForgotten(before) ? 1 : Math.min(before.getFalls(), Integer.MAX_VALUE - 1) + 1)
                        .build());
    }

    /** The device is well, or gone; it is given out again once nobody holds any of it and there is no probation left. */
    void well(int ordinal, boolean held) {
        Quarantine before = all.get(ordinal);
        if (before == null) {
            return;
        }
        long holdDown = holdDownMillis(ordinal);
        if (holdDown > 0 && before.getUntilMillis() == 0) {
            all.put(
                    ordinal,
                    before.toBuilder().setUntilMillis(nowMillis + holdDown).build());
        } else if (!held && (holdDown == 0 || before.getServed())) {
            all.remove(ordinal);
            falls.computeIfPresent(
                    ordinal,
                    (same, fallen) -> fallen.toBuilder()
                            .setUsableSinceMillis(Math.max(1, nowMillis))
                            .build());
        }
    }

    /** Ends what probation is over by time. */
    void endDue() {
        all.replaceAll(
                (ordinal, quarantine) -> quarantine.getUntilMillis() != 0 && quarantine.getUntilMillis() <= nowMillis
                        ? quarantine.toBuilder().setServed(true).build()
                        : quarantine);
    }

    private long holdDownMillis(int ordinal) {
        int times =
                falls.getOrDefault(ordinal, DeviceFalls.getDefaultInstance()).getFalls();
        return times < 2
                ? 0
                : Math.min(
                        settings.getHoldDownMillis() << Math.min(times - 2, DOUBLINGS_MAX),
                        Limits.HOLD_DOWN_MILLIS_MAX);
    }

    private boolean isForgotten(DeviceFalls fallen) {
        return fallen.getUsableSinceMillis() != 0
                && nowMillis - fallen.getUsableSinceMillis() >= Limits.DEVICE_FALLS_REMEMBERED_MILLIS;
    }

    /** Puts them where they were taken from. */
    void into(NodeStatus.Builder status) {
        falls.values().removeIf(this::isForgotten);
        status.clearQuarantined()
                .addAllQuarantined(all.values())
                .clearDeviceFalls()
                .addAllDeviceFalls(falls.values());
    }
}
