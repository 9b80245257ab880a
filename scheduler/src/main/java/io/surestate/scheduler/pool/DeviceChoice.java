package io.surestate.scheduler.pool;

import java.util.Arrays;

/**
 * One way to give a task its devices on one node: positions in the row and the thousandths taken of each, ascending by position. Reused by
 * the search: a policy reads it during the call and keeps nothing of it. One thread.
 */
public final class DeviceChoice {
    static final int ANYWHERE = -1;

    private int[] positions = new int[8];
    private int[] milli = new int[8];
    private int size;
    private int alternatives = 1;
    private int place = ANYWHERE;

    DeviceChoice() {}

    /** The NUMA place that all of the task stays in; {@link #ANYWHERE} = it need not. */
    int place() {
        return place;
    }

    void place(int value) {
        place = value;
    }

    /** Whether a device of that NUMA place may be chosen; one whose place is unknown is near to everything. */
    boolean allows(int devicePlace) {
        return place == ANYWHERE || devicePlace < 0 || devicePlace == place;
    }

    /** Distinct devices chosen. */
    public int size() {
        return size;
    }

    public int position(int index) {
        return positions[index];
    }

    /** Thousandths taken of that device. */
    public int milli(int index) {
        return milli[index];
    }

    /** How many choices, this one included, the node offers to the task. */
    public int alternatives() {
        return alternatives;
    }

    void clear() {
        size = 0;
    }

    void alternatives(int count) {
        alternatives = count;
    }

    /** Adds a device, keeping the order by position. */
    void add(int position, int taken) {
        if (size == positions.length) {
            positions = Arrays.copyOf(positions, size * 2);
            milli = Arrays.copyOf(milli, size * 2);
        }
        int at = size++;
        while (at > 0 && positions[at - 1] > position) {
            positions[at] = positions[at - 1];
            milli[at] = milli[at - 1];
            at--;
        }
        positions[at] = position;
        milli[at] = taken;
    }

    void copyFrom(DeviceChoice that) {
        clear();
        for (int i = 0; i < that.size; i++) {
            add(that.positions[i], that.milli[i]);
        }
        alternatives = that.alternatives;
        place = that.place;
    }

    boolean contains(int position) {
        for (int i = 0; i < size; i++) {
            if (positions[i] == position) {
                return true;
            }
        }
        return false;
    }

    int[] positions() {
        return Arrays.copyOf(positions, size);
    }

    int[] milli() {
        return Arrays.copyOf(milli, size);
    }
}
