package io.surestate.scheduler.pool;

import io.surestate.api.Names;
import java.util.Arrays;
import java.util.List;

/**
 * The devices of a row: what is free of each, in thousandths, and an order by (class, free share, position) that is kept current, so that
 * equal devices stand together. Mutable; one thread.
 */
final class Devices {
    private final List<DeviceClass> classes;
    private final int[] classOf;
    private final int[] ordinals;
    private final int[] free;
    private final int[] order;
    private final int[] held = new int[Demand.COUNT];
    private long freeMilli;

    /** Ascending by ordinal; the arrays are handed over. */
    Devices(List<DeviceClass> classes, int[] classOf, int[] ordinals, int[] free) {
        this.classes = List.copyOf(classes);
        this.classOf = classOf;
        this.ordinals = ordinals;
        this.free = free;
        this.order = new int[free.length];
        for (int i = 0; i < free.length; i++) {
            if (i > 0 && ordinals[i] <= ordinals[i - 1]) {
                throw new IllegalArgumentException(
                        Names.message("ordinal", Integer.toString(ordinals[i]), "ascending ordinals"));
            }
            if (free[i] < 0 || free[i] > DeviceAsk.WHOLE_MILLI) {
                throw new IllegalArgumentException(Names.message("free", Integer.toString(free[i]), "0-1000"));
            }
            order[i] = i;
            freeMilli += free[i];
        }
        sort();
    }

    /** Insertion sort: after a change of a few devices nearly everything stands right already. */
    private void sort() {
        for (int i = 1; i < order.length; i++) {
            int moved = order[i];
            int at = i;
            while (at > 0 && before(moved, order[at - 1])) {
                order[at] = order[at - 1];
                at--;
            }
            order[at] = moved;
        }
    }

    private boolean before(int left, int right) {
        if (classOf[left] != classOf[right]) {
            return classOf[left] < classOf[right];
        }
        return free[left] != free[right] ? free[left] < free[right] : left < right;
    }

    int count() {
        return free.length;
    }

    List<DeviceClass> classes() {
        return classes;
    }

    int classOf(int position) {
        return classOf[position];
    }

    int ordinal(int position) {
        return ordinals[position];
    }

    int position(int ordinal) {
        int position = Arrays.binarySearch(ordinals, ordinal);
        if (position < 0) {
            throw new IllegalArgumentException(
                    Names.message("device", Integer.toString(ordinal), "a device of the node"));
        }
        return position;
    }

    int free(int position) {
        return free[position];
    }

    /** The position that stands at that rank of the order by (class, free share, position). */
    int ordered(int rank) {
        return order[rank];
    }

    long freeMilli() {
        return freeMilli;
    }

    int held(Demand demand) {
        return held[demand.slot()];
    }

    void change(Fit fit, int sign) {
        for (int i = 0; i < fit.deviceCount(); i++) {
            int next = free[fit.devicePosition(i)] + sign * fit.deviceMilli(i);
            if (next < 0 || next > DeviceAsk.WHOLE_MILLI) {
                throw new IllegalArgumentException(Names.message(
                        "device " + ordinals[fit.devicePosition(i)],
                        Integer.toString(fit.deviceMilli(i)),
                        "free stays in 0-1000"));
            }
        }
        for (int i = 0; i < fit.deviceCount(); i++) {
            free[fit.devicePosition(i)] += sign * fit.deviceMilli(i);
            freeMilli += (long) sign * fit.deviceMilli(i);
        }
        held[fit.demand().slot()] -= sign;
        if (fit.deviceCount() > 0) {
            sort();
        }
    }

    /** Whether the same devices, up to their order, have the same free shares, and the same kinds of tasks are held. */
    boolean sameState(Devices that) {
        if (order.length != that.order.length || !classes.equals(that.classes) || !Arrays.equals(held, that.held)) {
            return false;
        }
        for (int i = 0; i < order.length; i++) {
            if (classOf[order[i]] != that.classOf[that.order[i]] || free[order[i]] != that.free[that.order[i]]) {
                return false;
            }
        }
        return true;
    }

    long stateHash(long seed) {
        long hash = seed;
        for (int position : order) {
            hash = hash * 0x9E3779B97F4A7C15L + (classOf[position] * 1001L + free[position] + 1);
        }
        return hash;
    }
}
