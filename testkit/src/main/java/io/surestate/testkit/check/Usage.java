package io.surestate.testkit.check;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.Claim;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.Quarantine;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What allocations take of one node, counted thing by thing: cores and devices in thousandths, memory in bytes. One thread. */
final class Usage {
    private static final long WHOLE_MILLI = 1_000;
    private static final String MEMORY = "memory";

    private final TreeMap<String, Long> occupied = new TreeMap<>();
    private final TreeMap<String, Long> releasing = new TreeMap<>();
    private final TreeMap<String, Long> nominated = new TreeMap<>();

    /** Counts it, or with a negative sign no longer. */
    void count(Allocation allocation, int sign) {
        AllocationState state = allocation.getState();
        things(allocation.getClaim()).forEach((thing, amount) -> {
            if (state == AllocationState.ALLOCATION_STATE_NOMINATED) {
                nominated.merge(thing, sign * amount, Long::sum);
            } else {
                occupied.merge(thing, sign * amount, Long::sum);
            }
            if (state == AllocationState.ALLOCATION_STATE_RELEASING) {
                releasing.merge(thing, sign * amount, Long::sum);
            }
        });
    }

    static Map<String, Long> things(Claim claim) {
        TreeMap<String, Long> things = new TreeMap<>();
        claim.getCoresList()
                .forEach(core -> things.merge("core " + core.getCoreId(), (long) core.getMilli(), Long::sum));
        claim.getDevicesList()
                .forEach(device -> things.merge("device " + device.getOrdinal(), (long) device.getMilli(), Long::sum));
        if (claim.getMemoryBytes() > 0) {
            things.put(MEMORY, claim.getMemoryBytes());
        }
        return things;
    }

    /** The first core or device of which more than all is taken, or promised beyond what is being released. */
    Optional<String> tooMuch() {
        TreeMap<String, Long> all = new TreeMap<>(occupied);
        nominated.forEach((thing, amount) ->
                all.merge(thing, Math.max(0, amount - releasing.getOrDefault(thing, 0L)), Long::sum));
        all.remove(MEMORY);
        return all.entrySet().stream()
                .filter(thing -> thing.getValue() > WHOLE_MILLI)
                .findFirst()
                .map(thing -> thing.getValue() + " of " + thing.getKey());
    }

    /** Whether all of that is there and taken by nobody, nominations aside. */
    boolean backs(Map<String, Long> wanted, Node node) {
        TreeMap<String, Long> there = new TreeMap<>();
        node.getSpec().getNumaList().stream()
                .flatMap(numa -> numa.getCoreIdsList().stream())
                .forEach(core -> there.put("core " + core, WHOLE_MILLI));
        node.getSpec().getDevicesList().forEach(device -> there.put("device " + device.getOrdinal(), WHOLE_MILLI));
        for (Quarantine quarantine : node.getStatus().getQuarantinedList()) {
            there.remove("device " + quarantine.getOrdinal());
        }
        there.put(MEMORY, node.getSpec().getMemoryBytes());
        return wanted.entrySet().stream()
                .allMatch(want -> there.getOrDefault(want.getKey(), 0L) - occupied.getOrDefault(want.getKey(), 0L)
                        >= want.getValue());
    }
}
