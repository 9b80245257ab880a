package io.surestate.cli.simulate;

import io.surestate.sim.openb.PolicyResult;
import io.surestate.sim.report.Chart;
import io.surestate.sim.report.Curves;
import io.surestate.sim.report.Line;
import java.util.List;
import java.util.stream.IntStream;

/** The curves of placement policies: what is allocated over what arrived, and what is lost of what could be. */
final class PlacementCurves {
    private static final int FULL = 100;

    private PlacementCurves() {}

    static Curves of(String trace, List<PolicyResult> results) {
        return new Curves(
                "Placement policies on " + trace,
                "Means over all seeds.",
                List.of(
                        new Chart(
                                "GPUs allocated",
                                "demand that arrived, % of the GPUs",
                                "allocated, % of the GPUs",
                                false,
                                results.stream().map(PlacementCurves::allocated).toList()),
                        new Chart(
                                "GPUs that demand was there for and that stood idle",
                                "demand that arrived, % of the GPUs",
                                "idle, % of the GPUs",
                                false,
                                results.stream().map(PlacementCurves::idle).toList())));
    }

    private static int[] columns(List<Double> curve) {
        return IntStream.range(0, curve.size())
                .filter(column -> !curve.get(column).isNaN())
                .toArray();
    }

    private static Line allocated(PolicyResult result) {
        List<Double> curve = result.curve();
        int[] columns = columns(curve);
        return new Line(
                result.policy(),
                IntStream.of(columns).asDoubleStream().toArray(),
                IntStream.of(columns).mapToDouble(curve::get).toArray());
    }

    private static Line idle(PolicyResult result) {
        List<Double> curve = result.curve();
        int[] columns = columns(curve);
        return new Line(
                result.policy(),
                IntStream.of(columns).asDoubleStream().toArray(),
                IntStream.of(columns)
                        .mapToDouble(column -> Math.max(0, Math.min(FULL, column) - curve.get(column)))
                        .toArray());
    }
}
