package io.surestate.sim.batch;

import io.surestate.sim.swf.SwfJob;
import io.surestate.sim.swf.SwfReader;
import io.surestate.sim.trace.TraceBounds;
import io.surestate.sim.trace.TraceException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/** Takes the jobs of logs in Standard Workload Format by the rules of published experiments. */
public final class SwfLogs {
    /** What a run time that nobody knows counts as, in sequences. */
    private static final long RUN_UNKNOWN_SECONDS = 10;

    private SwfLogs() {}

    /**
     * Whole logs: processors as requested, else as allocated; run times are cut at the request; jobs that are too wide, did not run or asked for
     * no time are dropped. Where no job of the log asked for a time, each asked for what it took.
     *
     * @param procs of the machine; empty = as the log's header says
     */
    public static Workload whole(Path file, OptionalInt procs, TraceBounds bounds) throws IOException {
        try (SwfReader reader = SwfReader.open(file, bounds)) {
            JobLog.Builder asking = new JobLog.Builder();
            JobLog.Builder silent = new JobLog.Builder();
            long dropped = 0;
            for (Optional<SwfJob> job = reader.next(); job.isPresent(); job = reader.next()) {
                SwfJob it = job.get();
                int wide = it.processors() > 0 ? it.processors() : it.allocated();
                if (wide <= 0 || wide > processors(procs, reader, file) || it.run() <= 0 || it.submit() < 0) {
                    dropped++;
                } else if (it.seconds() > 0) {
                    asking.add(it.submit(), Math.min(it.run(), it.seconds()), it.seconds(), wide, it.user());
                } else {
                    silent.add(it.submit(), it.run(), it.run(), wide, it.user());
                }
            }
            boolean nobodyAsked = asking.size() == 0;
            JobLog log = (nobodyAsked ? silent : asking).build();
            return Workload.of(
                    file,
                    log,
                    processors(procs, reader, file),
                    dropped + (nobodyAsked ? 0 : silent.size()),
                    nobodyAsked ? List.of("no job asked for a time: each asks for exactly what it took") : List.of());
        }
    }

    /** For sequences: the greater of both numbers of processors; a time that was not asked for is what it took. */
    public static Workload forSequences(Path file, OptionalInt procs, TraceBounds bounds) throws IOException {
        try (SwfReader reader = SwfReader.open(file, bounds)) {
            JobLog.Builder jobs = new JobLog.Builder();
            long dropped = 0;
            for (Optional<SwfJob> job = reader.next(); job.isPresent(); job = reader.next()) {
                SwfJob it = job.get();
                long run = it.run() < 0 ? RUN_UNKNOWN_SECONDS : it.run();
                int wide = Math.max(it.allocated(), it.processors());
                if (run == 0 || wide <= 0 || wide > processors(procs, reader, file)) {
                    dropped++;
                } else {
                    jobs.add(Math.max(0, it.submit()), run, it.seconds() < 0 ? run : it.seconds(), wide, it.user());
                }
            }
            return Workload.of(file, jobs.build(), processors(procs, reader, file), dropped, List.of());
        }
    }

    private static int processors(OptionalInt procs, SwfReader reader, Path file) {
        return procs.orElseGet(
                () -> reader.maxProcs()
                        .orElseThrow(
                                () -> new TraceException(
                                        file
                                                + ": no MaxProcs or MaxNodes header (expected: one before the jobs, or the number given apart)")));
    }
}
