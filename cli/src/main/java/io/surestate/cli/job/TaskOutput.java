package io.surestate.cli.job;

import io.surestate.api.v1.ErrorCategory;
import io.surestate.api.v1.GetJobRequest;
import io.surestate.api.v1.GetJobResponse;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.api.v1.OutputSource;
import io.surestate.api.v1.ReadOutputRequest;
import io.surestate.api.v1.ReadOutputResponse;
import io.surestate.api.v1.Task;
import io.surestate.cli.CliContext;
import io.surestate.cli.connect.Session;
import io.surestate.client.AnswerStream;
import io.surestate.client.SurestateException;
import java.time.Duration;

/** One output of one attempt of one task, copied from where it was left when a stream breaks. One thread. */
final class TaskOutput {
    private static final Duration REOPEN = Duration.ofMillis(500);
    private static final int REOPENED_MAX = 240;

    private final CliContext context;
    private final Session session;
    private final Wanted wanted;
    private final LineSink sink;
    private long offset;

    /**
     * Which output.
     *
     * @param job name or uid
     * @param follow go on until the attempt has ended
     */
    record Wanted(String job, Task task, int attempt, OutputSource source, boolean follow) {}

    TaskOutput(CliContext context, Session session, Wanted wanted, LineSink sink) {
        this.context = context;
        this.session = session;
        this.wanted = wanted;
        this.sink = sink;
    }

    void copy() {
        for (int opened = 0; !copied(opened); opened++) {
            context.pause().sleep(REOPEN);
        }
        sink.end();
    }

    /** False if the stream broke and may be opened again. */
    private boolean copied(int opened) {
        try (AnswerStream<ReadOutputResponse> answers = session.stream(JobsGrpc.getReadOutputMethod(), request())) {
            while (answers.hasNext()) {
                ReadOutputResponse part = answers.next();
                sink.write(part.getData().toByteArray());
                offset = part.getOffset() + part.getData().size();
            }
            return true;
        } catch (SurestateException e) {
            boolean passing = e.category() == ErrorCategory.ERROR_CATEGORY_UNAVAILABLE;
            if (!wanted.follow() || !passing || opened >= REOPENED_MAX) {
                throw e;
            }
            return over();
        }
    }

    /** Nothing more will come of a task's attempt that another one followed, or of a finished job whose node is gone. */
    private boolean over() {
        GetJobRequest request = GetJobRequest.newBuilder()
                .setTenant(session.tenant())
                .setJob(wanted.job())
                .build();
        GetJobResponse reply = session.call(JobsGrpc.getGetJobMethod(), request);
        boolean followed = reply.getTasksList().stream()
                .filter(task -> task.getGroup().equals(wanted.task().getGroup())
                        && task.getIndex() == wanted.task().getIndex())
                .anyMatch(task -> task.getAttempt() > wanted.attempt());
        return followed || JobPhases.isFinished(reply.getJob());
    }

    private ReadOutputRequest request() {
        return ReadOutputRequest.newBuilder()
                .setTenant(session.tenant())
                .setJob(wanted.job())
                .setGroup(wanted.task().getGroup())
                .setIndex(wanted.task().getIndex())
                .setAttempt(wanted.attempt())
                .setSource(wanted.source())
                .setOffset(offset)
                .setFollow(wanted.follow())
                .build();
    }
}
