package io.surestate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.JobPhase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExitCodesTest {
    private static final String JOB = "name: a\ngroups: [{name: g, count: 1, command: [\"true\"]}]\n";

    private final FakeCluster cluster = new FakeCluster();

    @AfterEach
    void close() {
        cluster.close();
    }

    private CommandRun submit(String manifest, String... more) {
        String[] args = new String[more.length + 4];
        System.arraycopy(new String[] {"job", "submit", "-f", "-"}, 0, args, 0, 4);
        System.arraycopy(more, 0, args, 4, more.length);
        return CommandRun.of(Map.of("SSCTL_SERVER", cluster.address()), manifest, args);
    }

    @Test
    void submitsUnderARequestIdOfItsOwn() {
        CommandRun run = submit(JOB);

        assertThat(run.code()).isZero();
        assertThat(run.out()).isEqualTo("a submitted\n");
        assertThat(cluster.submitted.get(0).getHeader().getRequestId()).matches("[0-9a-f]{32}");
    }

    @Test
    void submitsUnderTheGivenRequestIdAndTenant() {
        submit(JOB, "--request-id", "r-1", "--tenant", "physics", "--validate-only");

        assertThat(cluster.submitted.get(0).getHeader().getRequestId()).isEqualTo("r-1");
        assertThat(cluster.submitted.get(0).getHeader().getTenant()).isEqualTo("physics");
        assertThat(cluster.submitted.get(0).getHeader().getValidateOnly()).isTrue();
    }

    @Test
    void exitsWithOneWhenRefused() {
        cluster.refusals.add(FakeCluster.refusal(ErrorCode.ERROR_CODE_ALREADY_EXISTS, "name: \"a\" is taken"));

        CommandRun run = submit(JOB);

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err())
                .startsWith("ssctl: ALREADY_EXISTS: name: \"a\" is taken\n")
                .contains("ssctl job cancel");
        assertThat(run.out()).isEmpty();
    }

    @Test
    void exitsWithOneForABadJobFile() {
        CommandRun run = submit(JOB.replace("count", "cuont"));

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err())
                .isEqualTo(
                        "ssctl: INVALID_ARGUMENT: standard input:2: groups[0].cuont: unknown key (did you mean count?)\n");
        assertThat(cluster.submitted).isEmpty();
    }

    @Test
    void readsNoMoreOfAHugeJobFileThanMayBeInIt(@TempDir Path folder) throws IOException {
        Path file = Files.writeString(folder.resolve("huge.yaml"), "#" + "x".repeat(20 << 20));

        CommandRun run = CommandRun.of(cluster, "job", "submit", "-f", file.toString());

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("huge.yaml: too large (expected: at most 1048576 bytes)");
    }

    @Test
    void exitsWithOneForAJobFileThatIsNoText(@TempDir Path folder) throws IOException {
        Path file = Files.write(folder.resolve("job.yaml"), new byte[] {(byte) 0xff, (byte) 0xfe, 0});

        assertThat(CommandRun.of(cluster, "job", "submit", "-f", file.toString())
                        .err())
                .contains("job.yaml: not UTF-8 text (expected: ");
    }

    @Test
    void exitsWithTwoWhenUsedWrongly() {
        assertThat(CommandRun.of(cluster).code()).isEqualTo(2);
        assertThat(CommandRun.of(cluster, "job").err())
                .isEqualTo("ssctl: USAGE: COMMAND: missing\nTry: ssctl job --help\n");
        CommandRun unknown = CommandRun.of(cluster, "job", "lst");
        assertThat(unknown.code()).isEqualTo(2);
        assertThat(unknown.err()).contains("Did you mean: ").contains("list");
        assertThat(CommandRun.of(cluster, "job", "list", "--nope").code()).isEqualTo(2);
        assertThat(CommandRun.of(cluster, "job", "list", "-o", "xml").code()).isEqualTo(2);
        assertThat(CommandRun.of(cluster, "job", "list", "--phase", "asleep").code())
                .isEqualTo(2);
        assertThat(CommandRun.of(cluster, "job", "list", "--server", "nowhere").code())
                .isEqualTo(2);
        assertThat(CommandRun.of(cluster, "job", "list", "--timeout", "soon").code())
                .isEqualTo(2);
        assertThat(CommandRun.of(cluster, "job", "submit", "-f", "/nonexistent.yaml")
                        .code())
                .isEqualTo(2);
        assertThat(CommandRun.of(cluster, "job", "run", "--cpu", "NaN", "--", "true")
                        .code())
                .isEqualTo(2);
        assertThat(CommandRun.of(cluster, "job", "run").code()).isEqualTo(2);
        assertThat(CommandRun.of(cluster, "job", "logs", "a/b").code()).isEqualTo(2);
        assertThat(CommandRun.of(cluster, "completion", "tcsh").code()).isEqualTo(2);
        assertThat(CommandRun.of(cluster, "quickstart").err()).contains("SURESTATE_HOME");
    }

    @Test
    void exitsWithThreeWhenNoServerAnswers() {
        String address = cluster.address();
        cluster.close();

        CommandRun run = CommandRun.of(Map.of("SSCTL_SERVER", address), "", "job", "list", "--timeout", "300ms");

        assertThat(run.code()).isEqualTo(3);
        assertThat(run.err()).startsWith("ssctl: UNAVAILABLE: ").contains("Is a server running");
    }

    @Test
    void exitsWithFourWhenTheOutcomeIsUnknown() {
        for (int i = 0; i < 1_000; i++) {
            cluster.refusals.add(FakeCluster.refusal(ErrorCode.ERROR_CODE_UNAVAILABLE, "leader lost").toBuilder()
                    .setOutcomeUnknown(true)
                    .build());
        }

        CommandRun run = submit(JOB, "--timeout", "2s", "--request-id", "r-7");

        assertThat(run.code()).isEqualTo(4);
        assertThat(run.err()).startsWith("ssctl: UNAVAILABLE: leader lost\n").contains("--request-id r-7");
    }

    @Test
    void waitsUntilTheJobHasSucceeded() {
        cluster.jobs.add(Samples.running());
        cluster.jobs.add(Samples.running());
        cluster.jobs.add(Samples.ended(JobPhase.JOB_PHASE_SUCCEEDED, ""));

        CommandRun run = CommandRun.of(cluster, "job", "wait", "count-up");

        assertThat(run.code()).isZero();
        assertThat(run.err()).isEqualTo("count-up SUCCEEDED after 1m5s\n");
    }

    @Test
    void waitsOverALostLeader() {
        cluster.jobs.add(Samples.ended(JobPhase.JOB_PHASE_SUCCEEDED, ""));
        for (int i = 0; i < 5; i++) {
            cluster.refusals.add(FakeCluster.refusal(ErrorCode.ERROR_CODE_UNAVAILABLE, "no quorum"));
        }

        assertThat(CommandRun.of(cluster, "job", "wait", "count-up", "--timeout", "100ms")
                        .code())
                .isZero();
    }

    @Test
    void exitsWithOneWhenTheJobFailedAndSaysWhy() {
        cluster.jobs.add(Samples.ended(JobPhase.JOB_PHASE_FAILED, "worker/1 exited with 3"));

        CommandRun run = CommandRun.of(cluster, "job", "wait", "count-up");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).isEqualTo("count-up FAILED after 1m5s: worker/1 exited with 3\n");
    }

    @Test
    void stopsWaitingWhenTheTimeIsUp() {
        cluster.jobs.add(Samples.running());

        CommandRun run = CommandRun.of(cluster, "job", "wait", "count-up", "--at-most", "1m");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).isEqualTo("ssctl: NOT_FINISHED: count-up: RUNNING after 1m\n");
    }

    @Test
    void exitsWithThreeWhenTheTimeIsUpAndNoServerAnswers() {
        String address = cluster.address();
        cluster.close();

        CommandRun run = CommandRun.of(
                Map.of("SSCTL_SERVER", address), "", "job", "wait", "a", "--at-most", "1s", "--timeout", "50ms");

        assertThat(run.code()).isEqualTo(3);
        assertThat(run.err()).startsWith("ssctl: UNAVAILABLE: ");
    }

    @Test
    void runsACommandAsAJob() {
        CommandRun run = CommandRun.of(
                cluster,
                "job",
                "run",
                "--count",
                "3",
                "--cpu",
                "2",
                "--memory",
                "1Gi",
                "--gpus",
                "1",
                "-e",
                "A=b",
                "--",
                "/bin/My_Tool",
                "--count",
                "-x");

        assertThat(run.code()).as(run.err()).isZero();
        io.surestate.api.v1.Job job = cluster.submitted.get(0).getJob();
        assertThat(run.out()).isEqualTo(job.getName() + "\n").matches("my-tool-[a-z0-9]{5}\n");
        io.surestate.api.v1.TaskGroup group = job.getSpec().getGroups(0);
        assertThat(group.getCommandList()).containsExactly("/bin/My_Tool", "--count", "-x");
        assertThat(group.getCount()).isEqualTo(3);
        assertThat(group.getResources().getCpuMillicores()).isEqualTo(2_000);
        assertThat(group.getResources().getDevices(0).getCount()).isEqualTo(1);
        assertThat(group.getEnv(0).getValue()).isEqualTo("b");
    }

    @Test
    void cancelsWithAReason() {
        CommandRun run = CommandRun.of(cluster, "job", "cancel", "count-up", "--reason", "wrong data");

        assertThat(run.out()).isEqualTo("count-up is being cancelled\n");
        assertThat(cluster.cancelled.get(0).getReason()).isEqualTo("wrong data");
        assertThat(cluster.cancelled.get(0).getHeader().getRequestId()).isNotEmpty();
    }
}
