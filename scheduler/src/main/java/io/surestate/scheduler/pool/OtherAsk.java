package io.surestate.scheduler.pool;

import io.surestate.api.v1.Countable;
import java.util.List;

/**
 * What a task asks for beside CPU, memory and devices. Immutable.
 *
 * @param networkBits bit/s of the node's NICs, from one where one has it
 * @param storageBytes of one local storage
 * @param countables amounts by name
 * @param numaAligned all cores and devices of one NUMA place
 */
public record OtherAsk(long networkBits, long storageBytes, List<Countable> countables, boolean numaAligned) {
    /** Nothing. */
    public static final OtherAsk NONE = new OtherAsk(0, 0, List.of(), false);

    public OtherAsk {
        countables = List.copyOf(countables);
    }

    /** Whether no good of the node is asked for. */
    boolean takesNothing() {
        return networkBits == 0 && storageBytes == 0 && countables.isEmpty();
    }
}
