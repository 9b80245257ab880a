package io.surestate.sim.gpujobs;

import io.surestate.scheduler.queue.QueuedJob;
import io.surestate.sim.batch.JobLog;
import io.surestate.sim.batch.Workload;
import io.surestate.sim.trace.TraceBounds;
import io.surestate.sim.trace.TraceException;
import io.surestate.sim.trace.TraceLines;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * GPU job arrivals as comma-separated values under a heading with {@code num_gpu}, {@code submit_time} and {@code duration} among its columns,
 * times in milliseconds. Reads one file, in one thread.
 */
public final class PhillyTrace {
    private static final String COMMA = ",";
    private static final long SECOND_MILLIS = 1_000;
    private static final List<String> ASSUMPTIONS = List.of("each job asks for exactly the time that it takes");

    private final GpuColumns columns;
    private final int gpus;
    private final JobLog.Builder jobs = new JobLog.Builder();
    private long dropped;

    private PhillyTrace(TraceLines lines, int gpus) {
        this.columns = new GpuColumns(lines);
        this.gpus = gpus;
    }

    /**
     * Reads a trace; jobs that need more GPUs than there are, or none, are dropped.
     *
     * @param gpus of the cluster
     * @throws TraceException a column is missing or a value is none
     */
    public static Workload read(Path file, int gpus, TraceBounds bounds) throws IOException {
        try (TraceLines lines = TraceLines.open(file, bounds)) {
            return new PhillyTrace(lines, gpus).read(lines);
        }
    }

    private Workload read(TraceLines lines) throws IOException {
        String[] heading = lines.next().orElse("").strip().split(COMMA, -1);
        int wide = column(lines, heading, "num_gpu");
        int submit = column(lines, heading, "submit_time");
        int duration = column(lines, heading, "duration");
        for (Optional<String> line = lines.next(); line.isPresent(); line = lines.next()) {
            if (!line.get().isBlank()) {
                String[] cells = columns.cells(line.get(), COMMA, heading.length);
                add(
                        columns.whole("num_gpu", cells[wide]),
                        columns.whole("submit_time", cells[submit]),
                        columns.whole("duration", cells[duration]));
            }
        }
        return columns.workload(jobs, gpus, dropped, ASSUMPTIONS);
    }

    private void add(long wide, long submitMillis, long millis) {
        if (wide == 0 || wide > gpus || millis == 0) {
            dropped++;
        } else {
            long seconds = Math.max(1, (millis + SECOND_MILLIS - 1) / SECOND_MILLIS);
            jobs.add(submitMillis / SECOND_MILLIS, seconds, seconds, (int) wide, QueuedJob.USER_UNKNOWN);
        }
    }

    private static int column(TraceLines lines, String[] heading, String name) {
        int index = Arrays.asList(heading).indexOf(name);
        if (index < 0) {
            throw new TraceException(lines.place() + ": no column " + name
                    + " (expected: a heading with num_gpu, submit_time and duration)");
        }
        return index;
    }
}
