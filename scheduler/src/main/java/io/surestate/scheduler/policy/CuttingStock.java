package io.surestate.scheduler.policy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.hipparchus.exception.MathIllegalStateException;
import org.hipparchus.optim.MaxIter;
import org.hipparchus.optim.linear.LinearConstraint;
import org.hipparchus.optim.linear.LinearConstraintSet;
import org.hipparchus.optim.linear.LinearObjectiveFunction;
import org.hipparchus.optim.linear.NonNegativeConstraint;
import org.hipparchus.optim.linear.Relationship;
import org.hipparchus.optim.linear.SimplexSolver;
import org.hipparchus.optim.nonlinear.scalar.GoalType;

/**
 * What a share of each size costs in devices when the demand of all sizes is covered by as few devices as possible: the dual prices of the
 * cutting-stock program, found by generating the patterns that matter. Patterns found once serve later solutions, too. Mutable; one thread.
 */
final class CuttingStock {
    private static final int DEVICE_MILLI = 1000;
    private static final int ITERATIONS_MAX = 10_000;
    /** Patterns of one program; at the bound the prices are slightly too high and still usable. */
    private static final int PATTERNS_MAX = 96;

    private static final double TOLERANCE = 1e-7;

    private final int[] sizes;
    private final List<double[]> patterns = new ArrayList<>();

    /** @param sizes distinct, 1-1000 */
    CuttingStock(int[] sizes) {
        this.sizes = sizes.clone();
        for (int i = 0; i < sizes.length; i++) {
            double[] alone = new double[sizes.length];
            int times = DEVICE_MILLI / sizes[i];
            alone[i] = times;
            patterns.add(alone);
        }
    }

    /** The price of each size, in devices. */
    double[] prices(double[] demand) {
        double[] prices = solve(demand);
        while (patterns.size() < PATTERNS_MAX && addBestPattern(prices)) {
            prices = solve(demand);
        }
        return prices;
    }

    private double[] solve(double[] demand) {
        List<LinearConstraint> constraints = new ArrayList<>(patterns.size());
        for (double[] pattern : patterns) {
            constraints.add(new LinearConstraint(pattern, Relationship.LEQ, 1));
        }
        try {
            return new SimplexSolver()
                    .optimize(
                            new LinearObjectiveFunction(demand, 0),
                            new LinearConstraintSet(constraints),
                            GoalType.MAXIMIZE,
                            new NonNegativeConstraint(true),
                            new MaxIter(ITERATIONS_MAX))
                    .getPoint();
        } catch (MathIllegalStateException stuck) {
            // The program always has a solution; where rounding keeps the solver from it, plain sizes are prices that
            // hold, too.
            return Arrays.stream(sizes)
                    .mapToDouble(size -> (double) size / DEVICE_MILLI)
                    .toArray();
        }
    }

    /** Adds the pattern whose parts are together priced highest, if that is more than one device. */
    private boolean addBestPattern(double[] prices) {
        double[] best = new double[DEVICE_MILLI + 1];
        int[] last = new int[DEVICE_MILLI + 1];
        Arrays.fill(last, -1);
        for (int room = 1; room <= DEVICE_MILLI; room++) {
            best[room] = best[room - 1];
            for (int i = 0; i < sizes.length; i++) {
                if (sizes[i] <= room && best[room - sizes[i]] + prices[i] > best[room] + TOLERANCE / 1000) {
                    best[room] = best[room - sizes[i]] + prices[i];
                    last[room] = i;
                }
            }
        }
        if (best[DEVICE_MILLI] <= 1 + TOLERANCE) {
            return false;
        }
        double[] pattern = new double[sizes.length];
        int room = DEVICE_MILLI;
        while (room > 0) {
            if (last[room] < 0) {
                room--;
            } else {
                pattern[last[room]]++;
                room -= sizes[last[room]];
            }
        }
        patterns.add(pattern);
        return true;
    }
}
