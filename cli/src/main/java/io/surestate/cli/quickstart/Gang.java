package io.surestate.cli.quickstart;

import io.surestate.api.v1.GetJobRequest;
import io.surestate.api.v1.GetJobResponse;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.api.v1.OutputSource;
import io.surestate.api.v1.ReadOutputRequest;
import io.surestate.api.v1.ReadOutputResponse;
import io.surestate.api.v1.Task;
import io.surestate.cli.CliException;
import io.surestate.cli.connect.Session;
import io.surestate.cli.local.Until;
import io.surestate.client.AnswerStream;
import io.surestate.manifest.dialect.EnumNames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The quickstart's job as it goes on; tells of each new committed checkpoint. One thread. */
final class Gang {
    private static final Duration STEP_MAX = Duration.ofSeconds(30);
    private static final int FIRST_LINE_BYTES = 200;
    private static final Pattern FIRST_LINE = Pattern.compile("attempt [0-9]+ begins at ([0-9]+)\n");

    private final Session session;
    private final String uid;
    private final Until until;
    private final Narrator narrator;
    private long told;
    private long lastOfFirstAttempt;

    Gang(Session session, String uid, Until until, Narrator narrator) {
        this.session = session;
        this.uid = uid;
        this.until = until;
        this.narrator = narrator;
    }

    String uid() {
        return uid;
    }

    /** Waits until the whole gang runs in this attempt. */
    void awaitRunning(int attempt) {
        until.found(
                "the gang running in attempt " + attempt,
                STEP_MAX,
                () -> look().filter(seen -> seen.getJob().getStatus().getAttempt() == attempt
                        && phase(seen) == JobPhase.JOB_PHASE_RUNNING
                        && seen.getTasksList().stream().allMatch(task -> task.getPid() > 0)));
    }

    /** Waits for a committed checkpoint beyond {@code step}. */
    void awaitCheckpoint(long step) {
        until.found(
                "a committed checkpoint beyond " + step,
                STEP_MAX,
                () -> look().filter(seen -> committed(seen.getJob()) > step));
    }

    /** Waits until it is over and says how it ended. */
    JobPhase awaitEnd() {
        return phase(until.found(
                "the job's end",
                STEP_MAX,
                () -> look().filter(seen -> switch (phase(seen)) {
                    case JOB_PHASE_SUCCEEDED, JOB_PHASE_FAILED, JOB_PHASE_CANCELLED -> true;
                    default -> false;
                })));
    }

    void expectAttempt(int attempt) {
        int now = now().getJob().getStatus().getAttempt();
        if (now != attempt) {
            throw CliException.refused("NOT_AS_TOLD: the job is in attempt " + now + " (expected: " + attempt + ")");
        }
    }

    /** Newest committed step. */
    long checkpoint() {
        return committed(now().getJob());
    }

    /** Newest committed step of the first attempt; what was on its way when a node died may still count. */
    long lastOfFirstAttempt() {
        return lastOfFirstAttempt;
    }

    /** The one node that all of them run on. */
    String node() {
        List<String> nodes =
                now().getTasksList().stream().map(Task::getNode).distinct().toList();
        if (nodes.size() != 1) {
            throw CliException.refused("NOT_AS_TOLD: the gang runs on " + nodes + " (expected: one node)");
        }
        return nodes.get(0);
    }

    /** The number that all members of the newest attempt began at, as they wrote themselves. */
    long firstCount() {
        GetJobResponse seen = now();
        List<Long> counts = seen.getTasksList().stream()
                .map(task -> until.found("output of " + task.getGroup() + "/" + task.getIndex(), STEP_MAX, () -> {
                    look();
                    return firstLine(task);
                }))
                .distinct()
                .toList();
        if (counts.size() != 1) {
            throw CliException.refused("NOT_AS_TOLD: the members began at " + counts + " (expected: the same count)");
        }
        return counts.get(0);
    }

    private Optional<Long> firstLine(Task task) {
        ReadOutputRequest request = ReadOutputRequest.newBuilder()
                .setJob(uid)
                .setGroup(task.getGroup())
                .setIndex(task.getIndex())
                .setAttempt(task.getAttempt())
                .setSource(OutputSource.OUTPUT_SOURCE_STDOUT)
                .build();
        StringBuilder text = new StringBuilder();
        try (AnswerStream<ReadOutputResponse> parts = session.stream(JobsGrpc.getReadOutputMethod(), request)) {
            while (text.length() < FIRST_LINE_BYTES && parts.hasNext()) {
                text.append(parts.next().getData().toString(StandardCharsets.UTF_8));
            }
        }
        Matcher line = FIRST_LINE.matcher(text);
        return line.lookingAt() ? Optional.of(Long.parseLong(line.group(1))) : Optional.empty();
    }

    private GetJobResponse now() {
        return until.found("the job", STEP_MAX, this::look);
    }

    private Optional<GetJobResponse> look() {
        GetJobRequest request = GetJobRequest.newBuilder().setJob(uid).build();
        GetJobResponse seen = session.call(JobsGrpc.getGetJobMethod(), request);
        long step = committed(seen.getJob());
        if (seen.getJob().getStatus().getCheckpoint().getAttempt() == 1) {
            lastOfFirstAttempt = step;
        }
        if (step > told) {
            told = step;
            String phase = EnumNames.shortName(phase(seen).getValueDescriptor());
            narrator.tell("  " + phase.toLowerCase(Locale.ROOT) + ", checkpoint " + step + " committed");
        }
        return Optional.of(seen);
    }

    private static JobPhase phase(GetJobResponse seen) {
        return seen.getJob().getStatus().getPhase();
    }

    private static long committed(Job job) {
        return job.getStatus().getCheckpoint().getStep();
    }
}
