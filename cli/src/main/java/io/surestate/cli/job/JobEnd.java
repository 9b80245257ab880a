package io.surestate.cli.job;

import io.surestate.api.v1.ErrorCategory;
import io.surestate.api.v1.GetJobRequest;
import io.surestate.api.v1.GetJobResponse;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.cli.CliContext;
import io.surestate.cli.CliException;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Session;
import io.surestate.cli.output.Ages;
import io.surestate.client.SurestateException;
import io.surestate.manifest.dialect.EnumNames;
import java.time.Duration;
import java.util.Optional;

/** Waits for a job to finish, over any number of leader changes. One thread. */
final class JobEnd {
    private static final Duration LOOK_MIN = Duration.ofMillis(100);
    private static final Duration LOOK_MAX = Duration.ofSeconds(1);
    /** Without any answer for this long the wait is given up. */
    private static final Duration SILENCE_MAX = Duration.ofMinutes(5);

    private final CliContext context;
    private final Session session;

    JobEnd(CliContext context, Session session) {
        this.context = context;
        this.session = session;
    }

    /** Waits as long as it takes, says how it ended, and gives the exit code. */
    int await(String job) {
        return await(job, Optional.empty());
    }

    /** As {@link #await(String)}, at most {@code limit}. */
    int await(String job, Optional<Duration> limit) {
        long begun = context.time().millis();
        Duration look = LOOK_MIN;
        long heard = begun;
        while (true) {
            Seen seen = look(job, heard);
            if (seen.job().isPresent()) {
                heard = context.time().millis();
                if (JobPhases.isFinished(seen.job().get())) {
                    return tell(seen.job().get());
                }
            }
            if (limit.isPresent()
                    && context.time().millis() - begun >= limit.get().toMillis()) {
                throw timeIsUp(job, seen, limit.get());
            }
            context.pause().sleep(look);
            if (Thread.currentThread().isInterrupted()) {
                throw CliException.refused("INTERRUPTED: stopped waiting for " + job);
            }
            Duration longer = look.multipliedBy(3).dividedBy(2);
            look = longer.compareTo(LOOK_MAX) < 0 ? longer : LOOK_MAX;
        }
    }

    /** That the job has not ended can be said only if a server says so. */
    private static RuntimeException timeIsUp(String job, Seen seen, Duration limit) {
        return seen.failure()
                .<RuntimeException>map(failure -> failure)
                .orElseGet(() -> CliException.refused("NOT_FINISHED: " + job + ": "
                        + seen.job().map(JobEnd::phase).orElse("unknown") + " after "
                        + Ages.length(limit.toMillis())));
    }

    /** The job, or why no server answered, which may pass. */
    private record Seen(Optional<Job> job, Optional<SurestateException> failure) {}

    private Seen look(String job, long heardMillis) {
        GetJobRequest request = GetJobRequest.newBuilder()
                .setTenant(session.tenant())
                .setJob(job)
                .build();
        try {
            GetJobResponse reply = session.call(JobsGrpc.getGetJobMethod(), request);
            return new Seen(Optional.of(reply.getJob()), Optional.empty());
        } catch (SurestateException e) {
            boolean passing = e.category() == ErrorCategory.ERROR_CATEGORY_UNAVAILABLE;
            if (!passing || context.time().millis() - heardMillis > SILENCE_MAX.toMillis()) {
                throw e;
            }
            return new Seen(Optional.empty(), Optional.of(e));
        }
    }

    private int tell(Job job) {
        String reason = job.getStatus().getReason();
        long length = job.getStatus().getFinishedMillis() - job.getCreatedMillis();
        context.err()
                .println(job.getName() + " " + phase(job) + " after " + Ages.length(length)
                        + (reason.isEmpty() ? "" : ": " + reason));
        return JobPhases.isSucceeded(job) ? ExitCode.DONE : ExitCode.REFUSED;
    }

    private static String phase(Job job) {
        return EnumNames.shortName(job.getStatus().getPhase().getValueDescriptor());
    }
}
