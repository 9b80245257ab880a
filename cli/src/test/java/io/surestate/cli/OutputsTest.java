package io.surestate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.GetJobResponse;
import io.surestate.api.v1.JobPhase;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OutputsTest {
    private final FakeCluster cluster = new FakeCluster();

    OutputsTest() {
        cluster.clusterMillis = Samples.BIRTH + 65_000;
        cluster.jobs.add(Samples.running());
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private void shows(String out, String... args) {
        CommandRun run = CommandRun.of(cluster, args);

        assertThat(run.err()).isEmpty();
        assertThat(run.out()).isEqualTo(out);
        assertThat(run.code()).isZero();
    }

    @Test
    void listsJobsAsATableOverAllPages() {
        shows("""
                NAME      PHASE    TYPE         TASKS  ATTEMPT  CHECKPOINT  AGE
                count-up  RUNNING  AI_TRAINING  2      2        8           1m5s
                count-up  FAILED   AI_TRAINING  2      2        8           1m5s
                """, "job", "list", "--all");
    }

    @Test
    void listsJobsByName() {
        shows("count-up\n", "job", "list", "-o", "name");
    }

    @Test
    void showsWhatHappenedToAJobAndWhenItIsTriedAgain() {
        GetJobResponse.Builder job = Samples.running().toBuilder();
        job.getJobBuilder()
                .getStatusBuilder()
                .setPhase(JobPhase.JOB_PHASE_PENDING)
                .setReason("task worker/0 failed: exit code 127: command not found: tarin")
                .setIgnoredFailures(2)
                .setMoves(1)
                .setNotBeforeMillis(cluster.clusterMillis + 38_000);
        cluster.jobs.clear();
        cluster.jobs.add(job.build());

        assertThat(CommandRun.of(cluster, "job", "get", "count-up").out())
                .contains("exit code 127: command not found: tarin\n")
                .contains("failed with an ignored exit code 2 times")
                .contains("moved 1 time\n")
                .containsPattern("Next attempt: +in 38s\n");
    }

    @Test
    void listsJobsAsOneObject() {
        CommandRun run = CommandRun.of(cluster, "job", "list", "-o", "json");

        assertThat(run.out())
                .startsWith("{\n  \"jobs\" : [\n    {\n      \"name\" : \"count-up\",\n")
                .contains("\"type\" : \"AI_TRAINING\"", "\"cpu\" : \"500m\"", "\"TARGET\" : \"20\"")
                .contains("\"created\" : \"2026-09-21T14:13:20Z\"")
                .endsWith("  ]\n}\n");
    }

    @Test
    void showsAJobToPeople() {
        shows("""
                Name:        count-up
                Tenant:      default
                Uid:         1f-0
                Type:        AI_TRAINING
                Phase:       RUNNING
                Attempt:     2, lost a node 1 time
                Checkpoint:  step 8, 10s ago
                Age:         1m5s
                Ran for:     1m
                Effective:   0.0 % of the time, 0s of 1m

                TASK      ATTEMPT  STATE      NODE    PID  STEP  EXIT  TIME  REASON
                worker/0  2        RUNNING    node-a  100  -     -     15s   -
                worker/1  2        SUCCEEDED  node-a  101  -     0     15s   -
                """, "job", "get", "count-up");
    }

    @Test
    void showsAJobAsAManifestThatCanBeSubmittedAgain() {
        CommandRun shown = CommandRun.of(cluster, "job", "get", "count-up", "-o", "yaml");

        assertThat(shown.out())
                .startsWith("name: count-up\n")
                .contains("tasks:\n", "  - jobUid: \"1f-0\"\n", "    index: 0\n", "    exitCode: 0\n");
        CommandRun again = CommandRun.of(
                java.util.Map.of("SSCTL_SERVER", cluster.address()), shown.out(), "job", "submit", "-f", "-");
        assertThat(again.code()).as(again.err()).isZero();
        assertThat(cluster.submitted.get(0).getJob().getSpec())
                .isEqualTo(Samples.job().getSpec());
    }

    @Test
    void showsNoExitOfAFailedTaskWhereItIsUnknown() {
        cluster.jobs.clear();
        cluster.jobs.add(Samples.tasksFailed());

        assertThat(CommandRun.of(cluster, "job", "get", "count-up").out())
                .containsPattern("worker/0 +2 +FAILED +node-a +100 +- +- +15s")
                .containsPattern("worker/1 +2 +FAILED +node-a +101 +- +3 +15s");
        assertThat(CommandRun.of(cluster, "job", "get", "count-up", "-o", "yaml")
                        .out())
                .containsOnlyOnce("exitCode: ")
                .contains("exitCode: 3\n");
    }

    @Test
    void showsAHistory() {
        shows("""
                TIME (UTC)    REVISION  ATTEMPT  EVENT      TASK  NODE  MESSAGE
                14:13:20.000  31        1        SUBMITTED  -     -     2 tasks
                """, "job", "events", "count-up");
    }

    @Test
    void listsNodes() {
        shows("""
                NAME    STATE  CPU FREE    MEMORY FREE  DEVICES FREE  ALLOCATIONS  PLACE
                node-a  READY  3500m of 4  0 of 8Gi     1 of 2        1            rack=r7
                """.replace("CPU FREE   MEM", "CPU FREE    MEM"), "node", "list");
    }

    @Test
    void keepsZerosThatSaySomething() {
        assertThat(CommandRun.of(cluster, "node", "list", "-o", "yaml").out())
                .contains("      memoryFree: \"0\"\n", "      cpuFree: 3500m\n", "        - ordinal: 0\n");
    }

    @Test
    void showsTheTopologyAsATree() {
        shows("""
                rack r7
                └─ node node-a  READY  4 cores  8Gi  2 devices
                   ├─ numa 0  socket 0  cores 0-2,5  8Gi
                   └─ 2 x GPU H100 80Gi (0-1)
                """, "topology", "show");
    }

    @Test
    void showsTheOutputOfEachTask() {
        shows("[worker/0] line of 0\n[worker/1] line of 1\n", "job", "logs", "count-up");
        shows("line of 1\n", "job", "logs", "count-up/worker/1");
    }

    @Test
    void followsOutputUntilTheJobIsOver() {
        cluster.jobs.clear();
        cluster.jobs.add(Samples.running());
        cluster.jobs.add(Samples.ended(JobPhase.JOB_PHASE_SUCCEEDED, ""));

        shows("line of 0\n", "job", "logs", "count-up/worker/0", "-f");
    }

    @ParameterizedTest
    @ValueSource(strings = {"count-up", "count-up/worker/0"})
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void endsQuietlyWhenNobodyReadsTheOutput(String tasks) {
        cluster.silentTasks.add(1);
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };

        CommandRun run = CommandRun.into(
                closed,
                Map.of("SSCTL_SERVER", cluster.address()),
                Path.of("/nonexistent"),
                "",
                "job",
                "logs",
                tasks,
                "-f",
                "--timeout",
                "200ms");

        assertThat(run.err()).isEmpty();
        assertThat(run.code()).isEqualTo(141);
    }

    @Test
    void showsTheState() {
        assertThat(CommandRun.of(cluster, "status").out())
                .contains("Cluster:      c1\n", "Servers:      1 of 3 reachable\n", "Leader:       s1, term 3\n");
    }

    @Test
    void saysThatNothingIsHeld() {
        CommandRun run = CommandRun.of(cluster, "alloc", "list");

        assertThat(run.out()).isEmpty();
        assertThat(run.err()).isEqualTo("Nothing is held.\n");
        assertThat(CommandRun.of(cluster, "alloc", "list", "-o", "json").out())
                .isEqualTo("{\n  \"allocations\" : [ ]\n}\n");
    }
}
