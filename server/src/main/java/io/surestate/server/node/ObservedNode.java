package io.surestate.server.node;

import io.surestate.api.v1.NodeTelemetry;
import io.surestate.api.v1.Telemetry;
import java.util.Optional;

/** What one node's agent said of how the node is doing. Safe between threads. */
final class ObservedNode {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private TelemetryWindow window = new TelemetryWindow(Telemetry.getDefaultInstance());
    private Telemetry last = Telemetry.getDefaultInstance();
    /** Without its devices: what a decision keeps. */
    private Telemetry node = Telemetry.getDefaultInstance();

    private Strain strain = Strain.NONE;
    private long heardNanos;

    synchronized void heard(Telemetry telemetry, long nanos) {
        if (!window.fits(telemetry)) {
            window = new TelemetryWindow(telemetry);
        }
        window.add(telemetry, nanos);
        strain = strain.after(telemetry);
        last = telemetry;
        node = telemetry.getDevicesCount() == 0
                ? telemetry
                : telemetry.toBuilder().clearDevices().build();
        heardNanos = nanos;
    }

    synchronized Telemetry last() {
        return last;
    }

    synchronized Telemetry node() {
        return node;
    }

    synchronized int strain() {
        return strain.level();
    }

    /** Why the node should be left, such as {@code 91 °C, at 40 % of its power limit}; empty = it need not. */
    synchronized Optional<String> distress() {
        return strain.severe()
                ? Optional.of(
                        node.getTemperatureCelsius() + " °C, at " + node.getPowerMilli() / 10 + " % of its power limit")
                : Optional.empty();
    }

    synchronized NodeTelemetry told(String node, long nanos) {
        return NodeTelemetry.newBuilder()
                .setNode(node)
                .setAgeMillis(Math.max(0, nanos - heardNanos) / NANOS_PER_MILLI)
                .setLast(last)
                .setMean(window.mean(nanos))
                .setMax(window.max(nanos))
                .setStrain(strain.level())
                .build();
    }
}
