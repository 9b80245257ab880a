package io.surestate.scheduler.pool;

import java.util.Arrays;

/**
 * How well the devices of a node are joined: bit/s between each two, by position. Picks, among devices that are otherwise alike, those that
 * are joined best. Immutable.
 */
final class DeviceLinks {
    private final int size;
    private final long[] bits;

    /** @param bits by pair of positions, row after row; handed over */
    DeviceLinks(int size, long[] bits) {
        this.size = size;
        this.bits = bits;
    }

    /** Nothing is known. */
    static DeviceLinks none(int size) {
        return new DeviceLinks(size, new long[0]);
    }

    boolean known() {
        return bits.length > 0;
    }

    private long between(int one, int other) {
        return bits[one * size + other];
    }

    /**
     * So many of the candidates, ascending: grown from each candidate in turn by whoever is joined best to those before, and the best of
     * these. Without links the first ones.
     */
    int[] best(int[] candidates, int wanted) {
        if (bits.length == 0 || wanted == candidates.length || wanted < 2) {
            return Arrays.copyOf(candidates, wanted);
        }
        long bestBits = -1;
        int[] best = candidates;
        for (int seed : candidates) {
            int[] grown = new int[wanted];
            long sum = grow(seed, candidates, grown);
            if (sum > bestBits) {
                bestBits = sum;
                best = grown;
            }
        }
        Arrays.sort(best);
        return best;
    }

    private long grow(int seed, int[] candidates, int[] grown) {
        grown[0] = seed;
        long sum = 0;
        for (int count = 1; count < grown.length; count++) {
            int next = -1;
            long most = -1;
            for (int candidate : candidates) {
                long joined = contains(grown, count, candidate) ? -1 : joined(grown, count, candidate);
                if (joined > most) {
                    most = joined;
                    next = candidate;
                }
            }
            grown[count] = next;
            sum += most;
        }
        return sum;
    }

    private static boolean contains(int[] grown, int count, int candidate) {
        for (int i = 0; i < count; i++) {
            if (grown[i] == candidate) {
                return true;
            }
        }
        return false;
    }

    private long joined(int[] grown, int count, int candidate) {
        long sum = 0;
        for (int i = 0; i < count; i++) {
            sum += between(grown[i], candidate);
        }
        return sum;
    }

    boolean same(DeviceLinks that) {
        return Arrays.equals(bits, that.bits);
    }
}
