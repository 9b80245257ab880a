package io.surestate.statemachine.node;

import io.surestate.api.Limits;
import io.surestate.api.Names;
import io.surestate.api.v1.Countable;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.Link;
import io.surestate.api.v1.Nic;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.NumaNode;
import io.surestate.api.v1.Storage;
import io.surestate.statemachine.state.NamedAmounts;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

/** What a node's description must be, so that its goods can be counted. */
final class NodeSpecs {
    private NodeSpecs() {}

    /** The first thing that is wrong, in the form of every message. */
    static Optional<String> problem(NodeSpec spec) {
        if (spec.getMemoryBytes() < 0 || spec.getMemoryBytes() > Limits.MEMORY_BYTES_MAX) {
            return problem("memory", Long.toString(spec.getMemoryBytes()), "0 to " + Limits.MEMORY_BYTES_MAX);
        }
        return coreProblem(spec).or(() -> deviceProblem(spec)).or(() -> namedProblem(spec));
    }

    private static Optional<String> coreProblem(NodeSpec spec) {
        TreeSet<Integer> seen = new TreeSet<>();
        for (NumaNode numa : spec.getNumaList()) {
            for (int core : numa.getCoreIdsList()) {
                if (core < 0 || !seen.add(core)) {
                    return problem("core", Integer.toString(core), "a number of 0 or more, each once");
                }
            }
        }
        return seen.size() > Limits.CORES_PER_NODE_MAX
                ? problem("cores", Integer.toString(seen.size()), "at most " + Limits.CORES_PER_NODE_MAX)
                : Optional.empty();
    }

    private static Optional<String> deviceProblem(NodeSpec spec) {
        int last = -1;
        for (Device device : spec.getDevicesList()) {
            if (device.getOrdinal() <= last) {
                return problem("device", Integer.toString(device.getOrdinal()), "ordinals of 0 or more, ascending");
            }
            last = device.getOrdinal();
        }
        for (Device device : spec.getDevicesList()) {
            int parent = device.getParentPlusOne() - 1;
            if (parent >= 0 && !isWhole(spec, parent)) {
                return problem("device.parent", Integer.toString(parent), "the ordinal of a whole device of the node");
            }
        }
        return spec.getDevicesCount() > Limits.DEVICES_PER_NODE_MAX
                ? problem("devices", Integer.toString(spec.getDevicesCount()), "at most " + Limits.DEVICES_PER_NODE_MAX)
                : Optional.empty();
    }

    private static boolean isWhole(NodeSpec spec, int ordinal) {
        return spec.getDevicesList().stream()
                .anyMatch(device -> device.getOrdinal() == ordinal && device.getParentPlusOne() == 0);
    }

    private static Optional<String> namedProblem(NodeSpec spec) {
        TreeSet<String> seen = new TreeSet<>();
        for (Nic nic : spec.getNicsList()) {
            if (!seen.add(NamedAmounts.nicName(nic.getName()))) {
                return problem("nic", nic.getName(), "each name once");
            }
        }
        for (Link link : spec.getLinksList()) {
            if (!seen.add(NamedAmounts.linkName(link.getFromOrdinal(), link.getToOrdinal()))) {
                return problem("link", link.getFromOrdinal() + "-" + link.getToOrdinal(), "each pair of devices once");
            }
        }
        for (Storage storage : spec.getStorageList()) {
            if (!seen.add(NamedAmounts.storageName(storage.getName()))) {
                return problem("storage", storage.getName(), "each name once");
            }
        }
        for (Countable countable : spec.getCountablesList()) {
            Optional<String> unnamed = Names.countableProblem("countable", countable.getName());
            if (unnamed.isPresent()) {
                return unnamed;
            }
            if (!seen.add(countable.getName())) {
                return problem("countable", countable.getName(), "each name once");
            }
        }
        return Stream.of(
                        spec.getNicsList().stream().map(Nic::getBitsPerSecond),
                        spec.getLinksList().stream().map(Link::getBitsPerSecond),
                        spec.getStorageList().stream().map(Storage::getCapacityBytes),
                        spec.getCountablesList().stream().map(Countable::getAmount))
                .flatMap(Function.identity())
                .filter(amount -> amount < 0 || amount > Limits.NAMED_AMOUNT_MAX)
                .findFirst()
                .flatMap(amount -> problem("amount", Long.toString(amount), "0 to " + Limits.NAMED_AMOUNT_MAX));
    }

    private static Optional<String> problem(String field, String value, String expected) {
        return Optional.of(Names.message(field, value, expected));
    }
}
