package io.surestate.manifest.hardware;

import io.surestate.api.Limits;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.Link;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.NumaNode;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;

/** A node while a file about it is read. One thread. */
final class NodeDraft {
    /** Socket and NUMA place that nobody named. */
    static final int UNKNOWN = -1;

    private final HardwareSource source;
    private final NodeSpec.Builder spec = NodeSpec.newBuilder();
    private final TreeMap<Integer, NumaNode.Builder> numa = new TreeMap<>();
    private final BitSet cores = new BitSet();
    private final Set<String> notes = new LinkedHashSet<>();
    private final List<DeviceSigns> signs = new ArrayList<>();

    NodeDraft(HardwareSource source) {
        this.source = source;
    }

    /** What has no rules of its own here. */
    NodeSpec.Builder spec() {
        return spec;
    }

    void note(String sentence) {
        notes.add(sentence);
    }

    void sign(DeviceSigns of) {
        signs.add(of);
    }

    /** The NUMA place, made at its first mention. */
    NumaNode.Builder place(int id) {
        return numa.computeIfAbsent(id, key -> NumaNode.newBuilder().setId(key).setSocket(UNKNOWN));
    }

    /** Cores of a place, those already given to another one excepted. */
    void cores(int place, BitSet more) {
        NumaNode.Builder at = place(place);
        BitSet fresh = (BitSet) more.clone();
        fresh.andNot(cores);
        BitSet elsewhere = (BitSet) more.clone();
        elsewhere.andNot(fresh);
        at.getCoreIdsList().forEach(elsewhere::clear);
        if (!elsewhere.isEmpty()) {
            note("cores " + elsewhere + " are said to be in NUMA place " + place
                    + " and in one before it; they are left there");
        }
        BitSet all = fresh;
        at.getCoreIdsList().forEach(all::set);
        at.clearCoreIds().addAllCoreIds(CpuSets.ascending(all));
        cores.or(more);
    }

    /** Takes the next ordinal. */
    Device.Builder device() {
        if (spec.getDevicesCount() == Limits.DEVICES_PER_NODE_MAX) {
            throw source.problem("more than " + Limits.DEVICES_PER_NODE_MAX + " devices (expected: one machine)");
        }
        return spec.addDevicesBuilder().setOrdinal(spec.getDevicesCount() - 1).setNumaNode(UNKNOWN);
    }

    /** @param bitsPerSecond in one direction; 0 = unknown */
    void link(int from, int to, String type, long bitsPerSecond) {
        spec.addLinks(Link.newBuilder()
                .setFromOrdinal(from)
                .setToOrdinal(to)
                .setType(type)
                .setBitsPerSecond(bitsPerSecond));
    }

    /** One machine without a name. */
    Hardware build() {
        List<String> all = new ArrayList<>(notes);
        return new Hardware(List.of(Node.newBuilder().setSpec(finished()).build()), all, signs);
    }

    private NodeSpec finished() {
        if (cores.cardinality() > Limits.CORES_PER_NODE_MAX) {
            throw source.problem(
                    cores.cardinality() + " cores (expected: at most " + Limits.CORES_PER_NODE_MAX + " in a node)");
        }
        numa.values().forEach(spec::addNuma);
        return spec.build();
    }
}
