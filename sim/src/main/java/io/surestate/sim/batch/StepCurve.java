package io.surestate.sim.batch;

import java.util.Arrays;

/**
 * A value that stands until the next, averaged over equal spans of time. There are never more than {@value #SPANS_MAX} spans: they grow
 * with the time that has passed. Used by one thread.
 */
public final class StepCurve {
    private static final int SPANS_MAX = 1_024;

    private final double[] sums = new double[SPANS_MAX];
    private boolean begun;
    private long begin;
    private long last;
    private double value;
    private long width = 1;

    /**
     * The curve as points: the middle of each span and the mean of the value in it.
     *
     * @param seconds since the first value
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Points(double[] seconds, double[] values) {}

    /** From now on it is this. Times do not go back. */
    void at(long now, double changed) {
        if (begun) {
            advance(now - begin);
        } else {
            begun = true;
            begin = now;
        }
        value = changed;
    }

    private void advance(long now) {
        while (now > width * SPANS_MAX) {
            widen();
        }
        while (last < now) {
            int span = (int) (last / width);
            long until = Math.min(now, (span + 1) * width);
            sums[span] += value * (until - last);
            last = until;
        }
    }

    private void widen() {
        for (int i = 0; i < SPANS_MAX / 2; i++) {
            sums[i] = sums[2 * i] + sums[2 * i + 1];
        }
        Arrays.fill(sums, SPANS_MAX / 2, SPANS_MAX, 0);
        width *= 2;
    }

    Points points() {
        int spans = (int) ((last + width - 1) / width);
        double[] seconds = new double[spans];
        double[] values = new double[spans];
        for (int i = 0; i < spans; i++) {
            long until = Math.min(last, (i + 1) * width);
            seconds[i] = (i * width + until) / 2.0;
            values[i] = sums[i] / (until - i * width);
        }
        return new Points(seconds, values);
    }
}
