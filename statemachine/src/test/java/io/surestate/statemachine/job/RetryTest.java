package io.surestate.statemachine.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.Limits;
import io.surestate.api.v1.ExitCodes;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.JobStatus;
import io.surestate.api.v1.RetryPolicy;
import io.surestate.api.v1.TaskReport;
import io.surestate.api.v1.TaskState;
import io.surestate.statemachine.fixture.Commands;
import io.surestate.statemachine.fixture.TestCluster;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class RetryTest {
    private static final RetryPolicy RETRY =
            RetryPolicy.newBuilder().setBackoffMillis(2_000).build();

    private static JobSpec spec(int maxAttempts) {
        return Commands.gang(1).toBuilder()
                .setRetry(RETRY.toBuilder()
                        .setMaxAttempts(maxAttempts)
                        .setExitCodes(ExitCodes.newBuilder()
                                .addFailJob(2)
                                .addFailJob(127)
                                .addIgnore(75)
                                .addIgnore(128 + 15)))
                .build();
    }

    private static JobStatus fail(TestCluster cluster, Job job, Consumer<TaskReport.Builder> how) {
        cluster.report(cluster.task(job.getUid(), 0), TaskState.TASK_STATE_FAILED, how);
        return cluster.state()
                .job(job.getUid())
                .map(entry -> entry.job().getStatus())
                .orElseGet(() -> cluster.finished(job.getUid()).getStatus());
    }

    private static void startAgain(TestCluster cluster, Job job) {
        cluster.advance(Limits.BACKOFF_MILLIS_MAX);
        cluster.place(job.getUid());
    }

    @Test
    void someExitCodesEndTheJobAtOnce() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.start("train", spec(10));
            JobStatus over = fail(cluster, job, report -> report.setExitCode(2));
            assertThat(over.getPhase()).isEqualTo(JobPhase.JOB_PHASE_FAILED);
            assertThat(over.getReason()).isEqualTo("task worker/0 failed: exit code 2; its exit code ends the job");
        }
    }

    @Test
    void othersAreTriedAgainWithoutUsingUpAnAttempt() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.start("train", spec(2));
            for (int i = 1; i <= 3; i++) {
                JobStatus after = fail(cluster, job, report -> report.setSignal(15));
                assertThat(after.getPhase()).isEqualTo(JobPhase.JOB_PHASE_PENDING);
                assertThat(after.getFailures()).isZero();
                assertThat(after.getIgnoredFailures()).isEqualTo(i);
                startAgain(cluster, job);
            }
            assertThat(fail(cluster, job, report -> report.setExitCode(1)).getFailures())
                    .isOne();
            startAgain(cluster, job);
            assertThat(fail(cluster, job, report -> report.setExitCode(1)).getPhase())
                    .isEqualTo(JobPhase.JOB_PHASE_FAILED);
        }
    }

    @Test
    void whatIsIgnoredIsNotIgnoredForEver() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.start("train", spec(1));
            for (int i = 0; i < Limits.IGNORED_FAILURES_MAX; i++) {
                fail(cluster, job, report -> report.setExitCode(75));
                startAgain(cluster, job);
            }
            JobStatus over = fail(cluster, job, report -> report.setExitCode(75));
            assertThat(over.getPhase()).isEqualTo(JobPhase.JOB_PHASE_FAILED);
            assertThat(over.getReason()).endsWith("too many failures that were ignored");
        }
    }

    @Test
    void aFailureWithoutCodeOrSignalCounts() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Job job = cluster.start("train", spec(2));
            assertThat(fail(cluster, job, report -> report.setReason("cannot be started"))
                            .getFailures())
                    .isOne();
        }
    }

    @Test
    void backoffDoublesUpToTheLongestAndIsAtMostAQuarterShorter() {
        assertThat(Backoff.millis(RETRY, 1, 7, "u")).isBetween(1_500L, 2_000L);
        assertThat(Backoff.millis(RETRY, 3, 7, "u")).isBetween(6_000L, 8_000L);
        assertThat(Backoff.millis(RETRY, 1_000, 7, "u")).isBetween(450_000L, Limits.BACKOFF_MILLIS_MAX);
        RetryPolicy capped = RETRY.toBuilder().setBackoffMaxMillis(5_000).build();
        assertThat(Backoff.millis(capped, 30, 7, "u")).isBetween(3_750L, 5_000L);
        assertThat(Backoff.millis(RetryPolicy.getDefaultInstance(), 1, 7, "u")).isBetween(750L, 1_000L);
        RetryPolicy tiny = RetryPolicy.newBuilder().setBackoffMillis(1).build();
        assertThat(Backoff.millis(tiny, 1, 7, "u")).isOne();
    }

    @Test
    void jobsThatFailTogetherDoNotComeBackTogetherAndWaitTheSameOnEveryServer() {
        long different = LongStream.range(0, 1_000)
                .map(i -> Backoff.millis(RETRY, 5, 42, String.format("%016x-%06x", 9, i)))
                .distinct()
                .count();
        assertThat(different).isGreaterThan(850);
        assertThat(Backoff.millis(RETRY, 5, 42, "u")).isEqualTo(Backoff.millis(RETRY, 5, 42, "u"));
    }
}
