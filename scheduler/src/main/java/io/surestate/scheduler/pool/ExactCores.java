package io.surestate.scheduler.pool;

import io.surestate.api.Names;
import java.util.Arrays;

/**
 * Cores by id, each with its free thousandths. Whole cores are owned alone; the fraction of a request lies on one core: the fullest that
 * has room for it, so that whole cores stay whole.
 */
final class ExactCores implements Cores {
    private static final int WHOLE_MILLI = 1000;

    private final int[] ids;
    private final int[] free;
    private final int[] places;
    private long freeMilli;
    private int wholeFree;
    private int partialMax;

    /** Ascending by id; {@code free} in thousandths of each core; {@code places} are NUMA places, -1 = unknown. */
    ExactCores(int[] ids, int[] free, int[] places) {
        this.ids = ids.clone();
        this.free = free.clone();
        this.places = places.clone();
        for (int i = 0; i < ids.length; i++) {
            if (i > 0 && ids[i] <= ids[i - 1]) {
                throw new IllegalArgumentException(Names.message("core", Integer.toString(ids[i]), "ascending ids"));
            }
            if (free[i] < 0 || free[i] > WHOLE_MILLI) {
                throw new IllegalArgumentException(Names.message("free", Integer.toString(free[i]), "0-1000"));
            }
        }
        summarize();
    }

    private void summarize() {
        long sum = 0;
        int whole = 0;
        int partial = 0;
        for (int milli : free) {
            sum += milli;
            if (milli == WHOLE_MILLI) {
                whole++;
            } else if (milli > partial) {
                partial = milli;
            }
        }
        freeMilli = sum;
        wholeFree = whole;
        partialMax = partial;
    }

    @Override
    public long capacityMilli() {
        return (long) ids.length * WHOLE_MILLI;
    }

    @Override
    public long freeMilli() {
        return freeMilli;
    }

    @Override
    public boolean fits(long milli) {
        long whole = milli / WHOLE_MILLI;
        int fraction = (int) (milli % WHOLE_MILLI);
        return whole + (fraction > partialMax ? 1 : 0) <= wholeFree;
    }

    @Override
    public boolean fitsIn(long milli, int place) {
        int whole = 0;
        int partial = 0;
        for (int i = 0; i < free.length; i++) {
            if (places[i] == place && free[i] == WHOLE_MILLI) {
                whole++;
            } else if (places[i] == place) {
                partial = Math.max(partial, free[i]);
            }
        }
        int fraction = (int) (milli % WHOLE_MILLI);
        return milli / WHOLE_MILLI + (fraction > partial ? 1 : 0) <= whole;
    }

    @Override
    public CoreShares choose(long milli, int place) {
        int whole = (int) (milli / WHOLE_MILLI);
        int fraction = (int) (milli % WHOLE_MILLI);
        int[] taken = new int[ids.length];
        takeWhole(taken, takeWhole(taken, whole, place, true), place, false);
        if (fraction > 0) {
            taken[sharedCore(taken, fraction, place)] = fraction;
        }
        int count = 0;
        int[] chosen = new int[whole + (fraction == 0 ? 0 : 1)];
        int[] shares = new int[chosen.length];
        for (int i = 0; i < ids.length; i++) {
            if (taken[i] > 0) {
                chosen[count] = ids[i];
                shares[count++] = taken[i];
            }
        }
        return new CoreShares(chosen, shares);
    }

    /** Notes up to so many whole cores inside, or outside, of the place; answers with how many are still wanted. */
    private int takeWhole(int[] taken, int wanted, int place, boolean inside) {
        int left = wanted;
        for (int i = 0; i < ids.length && left > 0; i++) {
            if (free[i] == WHOLE_MILLI && (places[i] == place) == inside) {
                taken[i] = WHOLE_MILLI;
                left--;
            }
        }
        return left;
    }

    /** The fullest core with room for the fraction, those of the place before all others and shared ones before whole ones. */
    private int sharedCore(int[] taken, int fraction, int place) {
        int best = -1;
        for (int i = 0; i < free.length; i++) {
            boolean usable = taken[i] == 0 && free[i] >= fraction;
            if (usable && (best < 0 || before(i, best, place))) {
                best = i;
            }
        }
        return best;
    }

    private boolean before(int one, int other, int place) {
        boolean oneInside = places[one] == place;
        return oneInside == (places[other] == place) ? free[one] < free[other] : oneInside;
    }

    @Override
    public void take(Fit fit) {
        change(fit, -1);
    }

    @Override
    public void release(Fit fit) {
        change(fit, 1);
    }

    private void change(Fit fit, int sign) {
        if (fit.coreCount() == 0 && fit.cpuMilli() > 0) {
            throw new IllegalArgumentException(
                    Names.message("cpuMilli", Long.toString(fit.cpuMilli()), "shares of named cores"));
        }
        for (int i = 0; i < fit.coreCount(); i++) {
            int next = next(fit, i, sign);
            if (next < 0 || next > WHOLE_MILLI) {
                throw new IllegalArgumentException(Names.message(
                        "core " + fit.coreId(i), Integer.toString(fit.coreMilli(i)), "free stays in 0-1000"));
            }
        }
        for (int i = 0; i < fit.coreCount(); i++) {
            free[position(fit.coreId(i))] = next(fit, i, sign);
        }
        summarize();
    }

    private int next(Fit fit, int index, int sign) {
        return free[position(fit.coreId(index))] + sign * fit.coreMilli(index);
    }

    private int position(int id) {
        int position = Arrays.binarySearch(ids, id);
        if (position < 0) {
            throw new IllegalArgumentException(Names.message("core", Integer.toString(id), "a core of the node"));
        }
        return position;
    }

    /** Free thousandths of a core of the node. */
    int freeOf(int id) {
        return free[position(id)];
    }

    @Override
    public long state() {
        return (freeMilli * (free.length + 1) + wholeFree) * (WHOLE_MILLI + 1) + partialMax;
    }
}
