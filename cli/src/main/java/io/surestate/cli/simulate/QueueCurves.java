package io.surestate.cli.simulate;

import io.surestate.sim.batch.Replayed;
import io.surestate.sim.batch.StepCurve;
import io.surestate.sim.report.Chart;
import io.surestate.sim.report.Curves;
import io.surestate.sim.report.Line;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** The curves of queue policies: who waits and what is in use over time, and how the slowdowns are spread. */
final class QueueCurves {
    private static final int QUANTILES = 500;
    private static final double PERCENT = 100;
    private static final double DAY_SECONDS = 86_400;

    private QueueCurves() {}

    static Curves of(String trace, List<QueueRow> rows) {
        return new Curves(
                "Queue policies on " + trace,
                "The first replay of each policy.",
                List.of(
                        new Chart(
                                "How many jobs got away with how little slowdown",
                                "bounded slowdown",
                                "jobs, %",
                                true,
                                lines(rows, replayed -> spread(replayed.slowdowns()))),
                        new Chart("Jobs in the queue", "days", "jobs", false, overTime(rows, Replayed::waiting, 1)),
                        new Chart("Processors in use", "days", "%", false, overTime(rows, Replayed::busy, PERCENT))));
    }

    @SuppressWarnings("ArrayRecordComponent")
    private record Points(double[] x, double[] y) {}

    private static List<Line> lines(List<QueueRow> rows, Function<Replayed, Points> curve) {
        return rows.stream()
                .map(row -> {
                    Points points = curve.apply(row.first());
                    return new Line(row.label(), points.x, points.y);
                })
                .toList();
    }

    private static List<Line> overTime(List<QueueRow> rows, Function<Replayed, StepCurve.Points> curve, double factor) {
        return lines(rows, replayed -> {
            StepCurve.Points points = curve.apply(replayed);
            return new Points(scaled(points.seconds(), 1 / DAY_SECONDS), scaled(points.values(), factor));
        });
    }

    private static double[] scaled(double[] values, double factor) {
        return Arrays.stream(values).map(value -> value * factor).toArray();
    }

    /** Shares of jobs at evenly spaced places of the ascending slowdowns; a value that comes again is told once, at its last place. */
    private static Points spread(double[] ascending) {
        double[] x = new double[QUANTILES];
        double[] y = new double[QUANTILES];
        int size = 0;
        for (int i = 1; i <= QUANTILES; i++) {
            int index = (int) ((long) ascending.length * i / QUANTILES) - 1;
            if (index >= 0) {
                if (size > 0 && x[size - 1] == ascending[index]) {
                    size--;
                }
                x[size] = ascending[index];
                y[size++] = PERCENT * i / QUANTILES;
            }
        }
        return new Points(Arrays.copyOf(x, size), Arrays.copyOf(y, size));
    }
}
