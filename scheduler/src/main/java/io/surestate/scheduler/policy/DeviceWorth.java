package io.surestate.scheduler.policy;

import java.util.List;

/**
 * What the free share of one device can still earn, by tasks of the kinds that arrive often, at each of a grid of prices for CPU and
 * memory.
 * From it follows what a node is worth: at the prices where it is worth least, its CPU and memory are scarce just as they are there.
 * Immutable; any thread.
 *
 * <p>Worth is in thousandths of a device. The table has one row per free share (in steps) and one column per pair of prices.
 */
final class DeviceWorth {
    /** Free shares are told apart in steps of so many thousandths; what lies between counts as the lower step. */
    static final int STEP_MILLI = 10;

    private static final int STEPS = 1000 / STEP_MILLI;
    private static final int CPU_PRICES = 21;
    private static final double CPU_PRICE_STEP = 5;
    private static final double MILLI = 1000;
    private static final double[] MEMORY_PRICES = {0, 0.5, 1, 2, 4, 8, 12, 20};
    private static final double GIBIBYTE = 1L << 30;

    /**
     * Tasks with one device that arrive often enough to wait for.
     *
     * @param worth of such a task, in thousandths of a device
     */
    record Earner(long cpuMilli, long memoryBytes, int milli, double worth) {}

    private final double[][] table = new double[STEPS + 1][];
    /** Per millicore and per byte, by column. */
    private final double[] cpuPrice;

    private final double[] memoryPrice;

    DeviceWorth(List<Earner> earners) {
        int columns = CPU_PRICES * MEMORY_PRICES.length;
        cpuPrice = new double[columns];
        memoryPrice = new double[columns];
        for (int cpu = 0; cpu < CPU_PRICES; cpu++) {
            for (int memory = 0; memory < MEMORY_PRICES.length; memory++) {
                int column = cpu * MEMORY_PRICES.length + memory;
                cpuPrice[column] = CPU_PRICE_STEP * cpu / MILLI;
                memoryPrice[column] = MEMORY_PRICES[memory] / GIBIBYTE;
            }
        }
        table[0] = new double[columns];
        for (int step = 1; step <= STEPS; step++) {
            table[step] = table[step - 1].clone();
            for (Earner earner : earners) {
                int taken = (earner.milli + STEP_MILLI - 1) / STEP_MILLI;
                if (taken <= step) {
                    earn(table[step], table[step - taken], earner);
                }
            }
        }
    }

    private void earn(double[] row, double[] rest, Earner earner) {
        for (int column = 0; column < row.length; column++) {
            double earned = earner.worth
                    - cpuPrice[column] * earner.cpuMilli
                    - memoryPrice[column] * earner.memoryBytes
                    + rest[column];
            row[column] = Math.max(row[column], earned);
        }
    }

    int columns() {
        return cpuPrice.length;
    }

    /** Adds a device of that free share to the sums of a node. */
    void add(double[] sums, int freeMilli) {
        double[] row = table[freeMilli / STEP_MILLI];
        for (int column = 0; column < row.length; column++) {
            sums[column] += row[column];
        }
    }

    /** What a node is worth whose devices, of whatever kinds, sum up so, with so much free CPU and memory: prices are the same to all. */
    double worth(double[] sums, long cpuMilli, long memoryBytes) {
        double least = Double.MAX_VALUE;
        for (int column = 0; column < sums.length; column++) {
            least = Math.min(least, sums[column] + cpuPrice[column] * cpuMilli + memoryPrice[column] * memoryBytes);
        }
        return least;
    }

    /** Changes the free share of a device in the sums of a node. */
    void change(double[] sums, int fromMilli, int toMilli) {
        double[] from = table[fromMilli / STEP_MILLI];
        double[] to = table[toMilli / STEP_MILLI];
        for (int column = 0; column < sums.length; column++) {
            sums[column] += to[column] - from[column];
        }
    }
}
