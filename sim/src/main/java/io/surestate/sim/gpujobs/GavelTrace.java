package io.surestate.sim.gpujobs;

import io.surestate.scheduler.queue.QueuedJob;
import io.surestate.sim.batch.JobLog;
import io.surestate.sim.batch.Workload;
import io.surestate.sim.trace.TraceBounds;
import io.surestate.sim.trace.TraceException;
import io.surestate.sim.trace.TraceLines;
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
    private static final Layout SHORT = new Layout(7, 4, 6, 5);
    private static final Layout LONG = new Layout(10, 5, 6, 9);

    private final GpuColumns columns;
    private final Throughputs throughputs;
    private final int gpus;
    private final JobLog.Builder jobs = new JobLog.Builder();
    private long dropped;

    private record Layout(int width, int steps, int gpus, int arrival) {}

    private GavelTrace(TraceLines lines, Throughputs throughputs, int gpus) {
        this.columns = new GpuColumns(lines);
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
        try (TraceLines lines = TraceLines.open(file, bounds)) {
            return new GavelTrace(lines, Throughputs.read(throughputs, gpuType), gpus).read(lines, gpuType);
        }
    }

    private Workload read(TraceLines lines, String gpuType) throws IOException {
        for (Optional<String> line = lines.next(); line.isPresent(); line = lines.next()) {
            if (!line.get().isBlank()) {
                add(columns.cells(line.get(), TAB, SHORT.width, LONG.width));
            }
        }
        return columns.workload(
                jobs,
                gpus,
                dropped,
                List.of(
                        "all GPUs are of type " + gpuType,
                        "each job asks for exactly the time that it takes",
                        "a number of GPUs that was not measured for a kind of job is reckoned in proportion to the nearest"));
    }

    private void add(String[] cells) {
        Layout layout = cells.length == SHORT.width ? SHORT : LONG;
        long wide = columns.whole("GPUs", cells[layout.gpus]);
        double steps = columns.amount("steps", cells[layout.steps]);
        long arrival = (long) columns.amount("arrival", cells[layout.arrival]);
        OptionalDouble perSecond =
                wide == 0 || wide > gpus ? OptionalDouble.empty() : throughputs.of(cells[0], (int) wide);
        if (perSecond.isEmpty()) {
            dropped++;
        } else {
            long seconds = Math.max(1, (long) Math.ceil(steps / perSecond.getAsDouble()));
            jobs.add(arrival, seconds, seconds, (int) wide, QueuedJob.USER_UNKNOWN);
        }
    }
}
