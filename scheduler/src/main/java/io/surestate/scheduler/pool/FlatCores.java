package io.surestate.scheduler.pool;

import io.surestate.api.Names;

/** CPU known only as a sum of millicores: planning nodes and published experiments. */
final class FlatCores implements Cores {
    private final long capacityMilli;
    private long freeMilli;

    FlatCores(long capacityMilli, long freeMilli) {
        if (freeMilli < 0 || freeMilli > capacityMilli) {
            throw new IllegalArgumentException(
                    Names.message("freeMilli", Long.toString(freeMilli), "0-" + capacityMilli));
        }
        this.capacityMilli = capacityMilli;
        this.freeMilli = freeMilli;
    }

    @Override
    public long capacityMilli() {
        return capacityMilli;
    }

    @Override
    public long freeMilli() {
        return freeMilli;
    }

    @Override
    public boolean fits(long milli) {
        return milli <= freeMilli;
    }

    @Override
    public CoreShares choose(long milli) {
        return CoreShares.flat(milli);
    }

    @Override
    public void take(Fit fit) {
        change(-fit.cpuMilli());
    }

    @Override
    public void release(Fit fit) {
        change(fit.cpuMilli());
    }

    private void change(long milli) {
        long next = freeMilli + milli;
        if (next < 0 || next > capacityMilli) {
            throw new IllegalArgumentException(
                    Names.message("cpuMilli", Long.toString(milli), "free stays in 0-" + capacityMilli));
        }
        freeMilli = next;
    }

    @Override
    public long state() {
        return freeMilli;
    }
}
