package io.surestate.sim.report;

import java.util.List;

/** Charts under one title, whatever they are drawn as. */
public record Curves(String title, String subtitle, List<Chart> charts) {
    public Curves {
        charts = List.copyOf(charts);
    }
}
