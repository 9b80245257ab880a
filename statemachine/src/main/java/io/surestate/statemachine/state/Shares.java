package io.surestate.statemachine.state;

import java.util.Arrays;

/** An immutable sorted map from a small number (core id, device ordinal) to thousandths of that thing. Absent = 0. */
public final class Shares {
    /** No shares at all. */
    public static final Shares NONE = new Shares(new int[0], new int[0]);

    private final int[] ids;
    private final int[] milli;

    private Shares(int[] ids, int[] milli) {
        this.ids = ids;
        this.milli = milli;
    }

    /** Takes ascending ids and their amounts; both arrays belong to the new value afterwards. */
    static Shares adopt(int[] ids, int[] milli) {
        for (int i = 1; i < ids.length; i++) {
            Invariants.check(ids[i - 1] < ids[i], "ids ascend: %d before %d", ids[i - 1], ids[i]);
        }
        return new Shares(ids, milli);
    }

    /** How many ids there are. */
    public int size() {
        return ids.length;
    }

    /** The id at a position, ascending from 0 to {@link #size()} - 1. */
    public int idAt(int position) {
        return ids[position];
    }

    public int milliAt(int position) {
        return milli[position];
    }

    /** Thousandths of this id; 0 for an unknown one. */
    public int milli(int id) {
        int at = positionOf(id);
        return at < 0 ? 0 : milli[at];
    }

    public boolean has(int id) {
        return positionOf(id) >= 0;
    }

    /** Where an id stands; negative = it does not. */
    int positionOf(int id) {
        return Arrays.binarySearch(ids, id);
    }

    public long totalMilli() {
        long total = 0;
        for (int m : milli) {
            total += m;
        }
        return total;
    }

    /** Per id the sum; ids that come to 0 are dropped. */
    Shares plus(Shares other) {
        return merged(other, 1);
    }

    /** Per id the difference, never below 0 (a broken invariant); ids that come to 0 are dropped. */
    Shares minus(Shares other) {
        return merged(other, -1);
    }

    /** What is left of these ids when the held amounts are taken away; an oversubscribed id has 0 left. Keeps all ids. */
    Shares leftAfter(Shares held) {
        int[] left = milli.clone();
        int h = 0;
        for (int i = 0; i < ids.length; i++) {
            while (h < held.ids.length && held.ids[h] < ids[i]) {
                h++;
            }
            if (h < held.ids.length && held.ids[h] == ids[i]) {
                left[i] = Math.max(0, milli[i] - held.milli[h]);
            }
        }
        return new Shares(ids, left);
    }

    private Shares merged(Shares other, int sign) {
        int[] outIds = new int[ids.length + other.ids.length];
        int[] outMilli = new int[outIds.length];
        int n = 0;
        int a = 0;
        int b = 0;
        while (a < ids.length || b < other.ids.length) {
            boolean takeA = b == other.ids.length || (a < ids.length && ids[a] <= other.ids[b]);
            boolean takeB = a == ids.length || (b < other.ids.length && other.ids[b] <= ids[a]);
            int id = takeA ? ids[a] : other.ids[b];
            int sum = (takeA ? milli[a++] : 0) + (takeB ? sign * other.milli[b++] : 0);
            Invariants.check(sum >= 0, "shares of %d never below 0: %d", id, sum);
            if (sum != 0) {
                outIds[n] = id;
                outMilli[n++] = sum;
            }
        }
        return new Shares(Arrays.copyOf(outIds, n), Arrays.copyOf(outMilli, n));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Shares that && Arrays.equals(ids, that.ids) && Arrays.equals(milli, that.milli);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(ids) + Arrays.hashCode(milli);
    }

    @Override
    public String toString() {
        return Arrays.toString(ids) + "=" + Arrays.toString(milli);
    }
}
