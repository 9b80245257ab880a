package io.surestate.sim.gpujobs;

import io.surestate.sim.batch.JobLog;
import io.surestate.sim.batch.Workload;
import io.surestate.sim.trace.TraceException;
import io.surestate.sim.trace.TraceLines;
import java.util.Arrays;
import java.util.List;

/** Cells of one trace, checked. Used by one thread. */
final class GpuColumns {
    /** Far beyond any trace, so that sums do not overflow. */
    private static final long WHOLE_MAX = 1_000_000_000_000_000L;

    private final TraceLines lines;
    private int rows;

    GpuColumns(TraceLines lines) {
        this.lines = lines;
    }

    /** The cells of one more row. */
    String[] cells(String line, String separator, int... widths) {
        if (++rows > lines.bounds().jobs()) {
            throw new TraceException(lines.place() + ": too many jobs (expected: at most "
                    + lines.bounds().jobs() + ")");
        }
        String[] cells = line.split(separator, -1);
        for (int width : widths) {
            if (cells.length == width) {
                return cells;
            }
        }
        String expected = String.join(
                " or ", Arrays.stream(widths).mapToObj(Integer::toString).toList());
        throw TraceException.at(lines, "columns", Integer.toString(cells.length), expected);
    }

    /** A whole number, at least 0. */
    long whole(String name, String cell) {
        double value = amount(name, cell);
        if (value != Math.rint(value)) {
            throw TraceException.at(lines, name, cell, "a whole number");
        }
        return (long) value;
    }

    /** A number, at least 0. */
    double amount(String name, String cell) {
        try {
            double value = Double.parseDouble(cell.strip());
            if (value >= 0 && value <= WHOLE_MAX) {
                return value;
            }
        } catch (NumberFormatException notANumber) {
            throw TraceException.at(lines, name, cell, "a number");
        }
        throw TraceException.at(lines, name, cell, "0 to " + WHOLE_MAX);
    }

    Workload workload(JobLog.Builder jobs, int gpus, long dropped, List<String> assumptions) {
        if (jobs.size() == 0) {
            throw new TraceException(
                    lines.name() + ": no job that can be replayed on " + gpus + " GPUs (expected: at least one)");
        }
        return new Workload(jobs.build(), gpus, dropped, assumptions);
    }
}
