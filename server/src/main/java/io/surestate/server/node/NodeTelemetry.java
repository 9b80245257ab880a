package io.surestate.server.node;

import io.surestate.api.v1.Telemetry;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** What agents last said of how their nodes are doing. Soft: a new leader starts without. Written on the leader loop, read by any thread. */
public final class NodeTelemetry {
    private static final Observed UNKNOWN = new Observed(Telemetry.getDefaultInstance(), Strain.NONE);

    private final Map<String, Observed> byNode = new ConcurrentHashMap<>();

    private record Observed(Telemetry telemetry, Strain strain) {}

    void heard(String node, Telemetry telemetry) {
        byNode.merge(
                node,
                new Observed(telemetry, Strain.NONE.after(telemetry)),
                (before, now) -> new Observed(telemetry, before.strain().after(telemetry)));
    }

    void forget() {
        byNode.clear();
    }

    void forget(String node) {
        byNode.remove(node);
    }

    /** The newest of a node; the default instance = unknown. */
    public Telemetry of(String node) {
        return byNode.getOrDefault(node, UNKNOWN).telemetry();
    }

    /** Why a node should be left, such as {@code 91 °C}; empty = it need not. */
    public Optional<String> distress(String node) {
        Observed observed = byNode.getOrDefault(node, UNKNOWN);
        Telemetry now = observed.telemetry();
        return observed.strain().severe()
                ? Optional.of(
                        now.getTemperatureCelsius() + " °C, at " + now.getPowerMilli() / 10 + " % of its power limit")
                : Optional.empty();
    }

    /** Signs of heat or overload, 0 = none. */
    public int strain(String node) {
        return byNode.getOrDefault(node, UNKNOWN).strain().level();
    }
}
