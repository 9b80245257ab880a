package io.surestate.server.node;

import io.surestate.api.v1.NodeTelemetry;
import io.surestate.api.v1.Telemetry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;

/** How the nodes are doing, as their agents say. Soft: a new leader starts without. Written on the leader loop, read by any thread. */
public final class TelemetryBoard {
    private final ConcurrentSkipListMap<String, ObservedNode> byNode = new ConcurrentSkipListMap<>();
    private final LongSupplier monotonicNanos;

    TelemetryBoard(LongSupplier monotonicNanos) {
        this.monotonicNanos = monotonicNanos;
    }

    void heard(String node, Telemetry telemetry) {
        byNode.computeIfAbsent(node, first -> new ObservedNode()).heard(telemetry, monotonicNanos.getAsLong());
    }

    void forget() {
        byNode.clear();
    }

    void forget(String node) {
        byNode.remove(node);
    }

    /** The newest of a node, without its devices, as a decision keeps it; the default instance = unknown. */
    public Telemetry of(String node) {
        return Optional.ofNullable(byNode.get(node)).map(ObservedNode::node).orElse(Telemetry.getDefaultInstance());
    }

    /** Why a node should be left, such as {@code 91 °C, at 40 % of its power limit}; empty = it need not. */
    public Optional<String> distress(String node) {
        return Optional.ofNullable(byNode.get(node)).flatMap(ObservedNode::distress);
    }

    /** Signs of heat or overload, 0 = none. */
    public int strain(String node) {
        return Optional.ofNullable(byNode.get(node)).map(ObservedNode::strain).orElse(0);
    }

    /** With what the last minute was like; empty = nothing was heard of the node. */
    Optional<NodeTelemetry> told(String node) {
        return Optional.ofNullable(byNode.get(node)).map(observed -> observed.told(node, monotonicNanos.getAsLong()));
    }

    /** The next nodes by name. */
    List<NodeTelemetry> after(String node, int most) {
        List<NodeTelemetry> told = new ArrayList<>();
        for (Map.Entry<String, ObservedNode> entry : byNode.tailMap(node, false).entrySet()) {
            if (told.size() == most) {
                break;
            }
            told.add(entry.getValue().told(entry.getKey(), monotonicNanos.getAsLong()));
        }
        return told;
    }

    /** Gauges of each node in the Prometheus text format; empty on a server that does not lead. */
    public String gauges() {
        StringBuilder text = new StringBuilder();
        for (NodeGauge gauge : NodeGauge.values()) {
            if (!byNode.isEmpty()) {
                gauge.describe(text);
            }
            byNode.forEach((node, observed) -> gauge.write(text, node, observed.last(), observed.strain()));
        }
        return text.toString();
    }
}
