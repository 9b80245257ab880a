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
    private long freeMilli;
    private int wholeFree;
    private int partialMax;

    /** Ascending by id; {@code free} in thousandths of each core. */
    ExactCores(int[] ids, int[] free) {
        this.ids = ids.clone();
        this.free = free.clone();
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
    public CoreShares choose(long milli) {
        int whole = (int) (milli / WHOLE_MILLI);
        int fraction = (int) (milli % WHOLE_MILLI);
        int shared = fraction == 0 ? -1 : sharedCore(fraction, whole);
        int[] chosen = new int[whole + (fraction == 0 ? 0 : 1)];
        int[] shares = new int[chosen.length];
        int count = 0;
        int wholeLeft = whole;
        for (int i = 0; i < ids.length && count < chosen.length; i++) {
            if (i == shared) {
                chosen[count] = ids[i];
                shares[count++] = fraction;
            } else if (wholeLeft > 0 && free[i] == WHOLE_MILLI) {
                chosen[count] = ids[i];
                shares[count++] = WHOLE_MILLI;
                wholeLeft--;
            }
        }
        return new CoreShares(chosen, shares);
    }

    /** The fullest core with room for the fraction; failing that, the first whole one after those that the whole part takes. */
    private int sharedCore(int fraction, int whole) {
        int best = -1;
        int wholeSeen = 0;
        int fresh = -1;
        for (int i = 0; i < free.length; i++) {
            if (free[i] == WHOLE_MILLI) {
                if (wholeSeen++ == whole) {
                    fresh = i;
                }
            } else if (free[i] >= fraction && (best < 0 || free[i] < free[best])) {
                best = i;
            }
        }
        return best >= 0 ? best : fresh;
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
