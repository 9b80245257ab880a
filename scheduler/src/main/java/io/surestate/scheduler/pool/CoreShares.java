package io.surestate.scheduler.pool;

import java.util.Arrays;

/** Shares of cores, ascending by id; or, without ids, a sum of millicores of a node whose cores have no names. Immutable. */
final class CoreShares {
    private static final int[] NONE = {};

    private final long cpuMilli;
    private final int[] ids;
    private final int[] milli;

    /** The arrays are handed over. */
    CoreShares(int[] ids, int[] milli) {
        this.cpuMilli = Arrays.stream(milli).asLongStream().sum();
        this.ids = ids;
        this.milli = milli;
    }

    private CoreShares(long cpuMilli) {
        this.cpuMilli = cpuMilli;
        this.ids = NONE;
        this.milli = NONE;
    }

    static CoreShares flat(long cpuMilli) {
        return new CoreShares(cpuMilli);
    }

    long cpuMilli() {
        return cpuMilli;
    }

    int[] ids() {
        return ids;
    }

    int[] milli() {
        return milli;
    }
}
