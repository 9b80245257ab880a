package io.surestate.sim.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** A span of values along one side of a chart, from tick to tick. Immutable. */
final class Axis {
    private static final int TICKS_WANTED = 6;
    private static final double[] STEPS = {1, 2, 5, 10};
    private static final double ROUNDING = 1e-9;

    private final boolean logarithmic;
    private final double low;
    private final double high;
    private final double step;

    private Axis(boolean logarithmic, double low, double high, double step) {
        this.logarithmic = logarithmic;
        this.low = low;
        this.high = high;
        this.step = step;
    }

    /** Holds all of these values, and 0. */
    static Axis linear(double... values) {
        double least = Math.min(0, Arrays.stream(values).min().orElse(0));
        double greatest = Math.max(0, Arrays.stream(values).max().orElse(0));
        double most = greatest > least ? greatest : 1;
        double step = step(most - least);
        double low = Math.floor(least / step + ROUNDING) * step;
        return new Axis(false, low, Math.max(low + step, Math.ceil(most / step - ROUNDING) * step), step);
    }

    private static double step(double span) {
        double rough = span / TICKS_WANTED;
        double magnitude = Math.pow(10, Math.floor(Math.log10(rough)));
        return Arrays.stream(STEPS)
                        .filter(step -> step * magnitude >= rough)
                        .findFirst()
                        .orElse(STEPS[STEPS.length - 1])
                * magnitude;
    }

    /** Holds all of these values, which are positive, in whole decades. */
    static Axis logarithmic(double... values) {
        double low = Math.floor(Math.log10(Arrays.stream(values).min().orElse(1)));
        double high = Math.ceil(Math.log10(Arrays.stream(values).max().orElse(1)));
        double highest = Math.max(low + 1, high);
        return new Axis(true, low, highest, Math.ceil((highest - low) / TICKS_WANTED));
    }

    /** Where a value is: 0 = at the low end, 1 = at the high end. */
    double share(double value) {
        return ((logarithmic ? Math.log10(value) : value) - low) / (high - low);
    }

    /** Ascending, from the low end. */
    List<Double> ticks() {
        List<Double> ticks = new ArrayList<>();
        int count = (int) Math.floor((high - low) / step + ROUNDING);
        for (int i = 0; i <= count; i++) {
            double at = low + i * step;
            ticks.add(logarithmic ? Math.pow(10, at) : at);
        }
        return ticks;
    }

    /** Short, for people. */
    static String label(double value) {
        String text = String.format(Locale.ROOT, "%.4f", value).replaceFirst("\\.?0+$", "");
        return Math.abs(value) >= 1e7 || (value != 0 && Math.abs(value) < 1e-3)
                ? String.format(Locale.ROOT, "%.0e", value)
                : text;
    }
}
