package io.surestate.sim.gpujobs;

import io.surestate.scheduler.queue.QueuedJob;
import io.surestate.sim.batch.JobLog;
import io.surestate.sim.batch.Workload;
import io.surestate.sim.trace.TraceBounds;
import io.surestate.sim.trace.TraceException;
import io.surestate.sim.trace.TraceLines;
import io.surestate.sim.trace.TraceRow;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Training jobs as tab-separated lines of seven columns (kind, command, argument, needs data, steps, arrival, GPUs) or ten (kind, command,
 * folder, argument, needs data, steps, GPUs, priority, objective, arrival); arrival in seconds. How long a job takes is its steps by the steps
 * per second that were measured for its kind on one type of GPU. Reads one file, in one thread.
 */
public final class GavelTrace {
    /** The file beside a trace that holds what was measured. */
    public static final String THROUGHPUTS = "simulation_throughputs.json";

    private static final String TAB = "\t";
    private static final String KIND = "kind";
    private static final String STEPS = "steps";
    private static final String GPUS = "GPUs";
    private static final String ARRIVAL = "arrival";
    private static final List<String> SHORT = List.of(KIND, "command", "argument", "needs data", STEPS, ARRIVAL, GPUS);
    private static final List<String> LONG =
            List.of(KIND, "command", "folder", "argument", "needs data", STEPS, GPUS, "priority", "objective", ARRIVAL);

    private final TraceLines lines;
    private final Throughputs throughputs;
    private final int gpus;
    private final JobLog.Builder jobs = new JobLog.Builder();
    private long dropped;

    private GavelTrace(TraceLines lines, Throughputs throughputs, int gpus) {
        this.lines = lines;
        this.throughputs = throughputs;
        this.gpus = gpus;
    }

    /**
     * Reads a trace; jobs that need more GPUs than there are, or of kinds that were never measured, are dropped.
     *
     * @param throughputs what was measured
     * @param gpuType of all GPUs of the cluster
     * @param gpus of the cluster
     * @throws TraceException a line is not what it should be
     */
    public static Workload read(Path file, Path throughputs, String gpuType, int gpus, TraceBounds bounds)
            throws IOException {
        Throughputs measured = Throughputs.read(throughputs, gpuType, bounds);
        try (TraceLines lines = TraceLines.open(file, bounds)) {
            GavelTrace trace = new GavelTrace(lines, measured, gpus);
            trace.read();
            return Workload.of(
                    file,
                    trace.jobs.build(),
                    gpus,
                    trace.dropped,
                    List.of(
                            "all GPUs are of type " + gpuType,
                            "each job asks for exactly the time that it takes",
                            "a number of GPUs that was not measured for a kind of job is reckoned in proportion to the nearest"));
        }
    }

    private void read() throws IOException {
        for (Optional<String> line = lines.next(); line.isPresent(); line = lines.next()) {
            if (!line.get().isBlank()) {
                add(row(line.get().split(TAB, -1)));
            }
        }
    }

    private TraceRow row(String[] cells) {
        if (cells.length == SHORT.size()) {
            return lines.row(SHORT, cells);
        }
        if (cells.length == LONG.size()) {
            return lines.row(LONG, cells);
        }
        throw lines.wrong("columns", Integer.toString(cells.length), SHORT.size() + " or " + LONG.size());
    }

    private void add(TraceRow row) {
        long wide = row.whole(GPUS);
        double steps = row.number(STEPS);
        long arrival = (long) row.number(ARRIVAL);
        OptionalDouble perSecond =
                wide == 0 || wide > gpus ? OptionalDouble.empty() : throughputs.of(row.text(KIND), (int) wide);
        if (perSecond.isEmpty()) {
            dropped++;
        } else {
            long seconds = Math.max(1, (long) Math.ceil(steps / perSecond.getAsDouble()));
            jobs.add(arrival, seconds, seconds, (int) wide, QueuedJob.USER_UNKNOWN);
        }
    }
}
