package io.surestate.sim.gpujobs;

import io.surestate.scheduler.queue.QueuedJob;
import io.surestate.sim.batch.JobLog;
import io.surestate.sim.batch.Workload;
import io.surestate.sim.trace.TraceBounds;
import io.surestate.sim.trace.TraceException;
import io.surestate.sim.trace.TraceRow;
import io.surestate.sim.trace.TraceTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * GPU job arrivals as comma-separated values under a heading with {@code num_gpu}, {@code submit_time} and {@code duration} among its columns,
 * times in milliseconds. No state; any thread.
 */
public final class PhillyTrace {
    private static final String GPUS = "num_gpu";
    private static final String SUBMIT = "submit_time";
    private static final String DURATION = "duration";
    private static final long SECOND_MILLIS = 1_000;

    private PhillyTrace() {}

    /**
     * Reads a trace; jobs that need more GPUs than there are, or none, are dropped.
     *
     * @param gpus of the cluster
     * @throws TraceException a column is missing or a value is none
     */
    public static Workload read(Path file, int gpus, TraceBounds bounds) throws IOException {
        JobLog.Builder jobs = new JobLog.Builder();
        long dropped = 0;
        try (TraceTable table = TraceTable.open(file, bounds, GPUS, SUBMIT, DURATION)) {
            for (Optional<TraceRow> row = table.next(); row.isPresent(); row = table.next()) {
                dropped += add(row.get(), gpus, jobs) ? 0 : 1;
            }
        }
        return Workload.of(
                file, jobs.build(), gpus, dropped, List.of("each job asks for exactly the time that it takes"));
    }

    /** Returns whether it can be replayed. */
    private static boolean add(TraceRow row, int gpus, JobLog.Builder jobs) {
        long wide = row.whole(GPUS);
        long submitMillis = row.whole(SUBMIT);
        long millis = row.whole(DURATION);
        if (wide == 0 || wide > gpus || millis == 0) {
            return false;
        }
        long seconds = Math.max(1, (millis + SECOND_MILLIS - 1) / SECOND_MILLIS);
        jobs.add(submitMillis / SECOND_MILLIS, seconds, seconds, (int) wide, QueuedJob.USER_UNKNOWN);
        return true;
    }
}
