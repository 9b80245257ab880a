package io.surestate.sim.report;

/**
 * One curve.
 *
 * @param x ascending, as many as {@code y}; not to be written to
 */
@SuppressWarnings("ArrayRecordComponent")
public record Line(String name, double[] x, double[] y) {
    public Line {
        if (x.length != y.length) {
            throw new IllegalArgumentException(name + ": " + x.length + " x, " + y.length + " y");
        }
    }
}
