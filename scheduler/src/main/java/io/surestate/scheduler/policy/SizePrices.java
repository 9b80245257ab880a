package io.surestate.scheduler.policy;

import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * What shares of one device are worth, in thousandths of a device, by what they cost where all demand is covered by few devices. One
 * program's prices jump with small changes of demand, so they are averaged over several with the demand shaken; and mixed with the plain
 * size, which is what counts once the pool is full and gaps are only filled. Immutable once made.
 */
final class SizePrices {
    private static final int WHOLE_MILLI = 1000;
    private static final int PROGRAMS = 20;
    private static final double SHAKEN = 0.1;
    private static final double PRICE_PART = 0.6;
    /** Sizes looked at, the ones most asked for. */
    private static final int SIZES_MAX = 24;

    private final SortedMap<Integer, Double> worth = new TreeMap<>();

    /** @param demand devices asked for by share, 1-999 */
    SizePrices(SortedMap<Integer, Double> demand, RandomGenerator random) {
        int[] sizes = demand.entrySet().stream()
                .sorted((left, right) -> Double.compare(right.getValue(), left.getValue()))
                .limit(SIZES_MAX)
                .mapToInt(entry -> entry.getKey())
                .sorted()
                .toArray();
        if (sizes.length == 0) {
            return;
        }
        CuttingStock program = new CuttingStock(sizes);
        double[] sum = new double[sizes.length];
        for (int run = 0; run < PROGRAMS; run++) {
            double[] shaken = new double[sizes.length];
            for (int i = 0; i < sizes.length; i++) {
                shaken[i] = demand.getOrDefault(sizes[i], 0.0) * (1 + SHAKEN * (2 * random.nextDouble() - 1));
            }
            double[] prices = program.prices(shaken);
            for (int i = 0; i < sizes.length; i++) {
                sum[i] += prices[i];
            }
        }
        for (int i = 0; i < sizes.length; i++) {
            worth.put(sizes[i], PRICE_PART * WHOLE_MILLI * sum[i] / PROGRAMS + (1 - PRICE_PART) * sizes[i]);
        }
    }

    /** The worth of a share, 0-1000; a whole device is worth 1000, a size that was not looked at its size. */
    double worth(int milli) {
        return milli == WHOLE_MILLI ? WHOLE_MILLI : worth.getOrDefault(milli, (double) milli);
    }
}
