package io.surestate.sim.report;

import java.util.List;

/**
 * Curves over one pair of axes.
 *
 * @param logX whether the x axis is logarithmic; all x are positive then
 */
public record Chart(String title, String xLabel, String yLabel, boolean logX, List<Line> lines) {
    public Chart {
        lines = List.copyOf(lines);
    }
}
