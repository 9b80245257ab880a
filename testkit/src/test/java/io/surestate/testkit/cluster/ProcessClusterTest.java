package io.surestate.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.surestate.api.v1.GetJobResponse;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobEvent;
import io.surestate.api.v1.JobEventKind;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.NodeState;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs on real processes: servers, agents and tasks that are killed without warning. */
class ProcessClusterTest {
    private static final Duration SOON = Duration.ofMinutes(3);
    /** Counts to TARGET, a step each 200 ms, publishing each; goes on from the committed checkpoint. */
    private static final String COUNT = "i=0; [ -n \"$SURESTATE_CHECKPOINT\" ] && i=$(cat \"$SURESTATE_CHECKPOINT\"); "
            + "while [ $i -lt $TARGET ]; do i=$((i+1)); echo $i > \"$SURESTATE_CHECKPOINT_DIR/tmp\"; "
            + "mv \"$SURESTATE_CHECKPOINT_DIR/tmp\" \"$SURESTATE_CHECKPOINT_DIR/$i\"; echo step $i; sleep 0.2; done";

    @TempDir
    private Path folder;

    private static void awaitReady(Api api, int nodes) {
        await().atMost(SOON).ignoreExceptions().until(() -> api.readyNodes() == nodes);
    }

    private static GetJobResponse awaitPhase(Api api, String job, JobPhase phase) {
        await().atMost(SOON).until(() -> api.job(job).getJob().getStatus().getPhase() == phase);
        return api.job(job);
    }

    private static void awaitCheckpoint(Api api, String job, long step) {
        await().atMost(SOON)
                .until(() -> api.job(job).getJob().getStatus().getCheckpoint().getStep() >= step);
    }

    @Test
    void aGangSurvivesTheLeaderAndItsNode() {
        ClusterLayout layout = ClusterLayout.of(folder, 3);
        try (ProcessCluster cluster = ProcessCluster.start(layout);
                Api api = Api.of(layout)) {
            cluster.startAgent("n1", "0", "1Gi");
            cluster.startAgent("n2", "1", "1Gi");
            awaitReady(api, 2);
            Job job = Api.checkpointedJob("count-up", 4, COUNT, "TARGET", "40");
            api.submit(job);
            awaitCheckpoint(api, "count-up", 3);

            String leader = api.status().getLeaderId();
            cluster.killServer(Integer.parseInt(leader.substring(1)) - 1);
            awaitCheckpoint(api, "count-up", 8);
            assertThat(api.status().getLeaderId()).isNotEqualTo(leader);

            String node = api.job("count-up").getTasks(0).getNode();
            cluster.killNode(node);
            long before =
                    api.job("count-up").getJob().getStatus().getCheckpoint().getStep();
            GetJobResponse done = awaitPhase(api, "count-up", JobPhase.JOB_PHASE_SUCCEEDED);

            assertThat(done.getJob().getStatus().getNodeLosses()).isEqualTo(1);
            assertThat(done.getJob().getStatus().getFailures()).isZero();
            assertThat(done.getTasksList()).extracting(Task::getNode).doesNotContain(node);
            assertThat(done.getTasksList()).extracting(Task::getState).containsOnly(TaskState.TASK_STATE_SUCCEEDED);
            List<JobEvent> events = api.events("count-up");
            assertThat(events)
                    .extracting(JobEvent::getKind)
                    .contains(
                            JobEventKind.JOB_EVENT_KIND_SUBMITTED,
                            JobEventKind.JOB_EVENT_KIND_ALLOCATED,
                            JobEventKind.JOB_EVENT_KIND_STARTED,
                            JobEventKind.JOB_EVENT_KIND_NODE_LOST,
                            JobEventKind.JOB_EVENT_KIND_RESTARTING,
                            JobEventKind.JOB_EVENT_KIND_SUCCEEDED);
            assertThat(done.getJob().getStatus().getCheckpoint().getStep()).isGreaterThanOrEqualTo(before);
        }
    }

    @Test
    void anAgentThatIsKilledAndStartedAgainFindsItsTasksRunning() {
        ClusterLayout layout = ClusterLayout.of(folder, 1);
        try (ProcessCluster cluster = ProcessCluster.start(layout);
                Api api = Api.of(layout)) {
            cluster.startAgent("n1", "0", "1Gi");
            awaitReady(api, 1);
            api.submit(Api.shellJob("keeps", 2, "while [ ! -e " + folder.resolve("stop") + " ]; do sleep 0.2; done"));
            await().atMost(SOON)
                    .until(() -> api.job("keeps").getTasksList().stream()
                            .allMatch(task -> task.getState() == TaskState.TASK_STATE_RUNNING));
            List<Long> pids =
                    api.job("keeps").getTasksList().stream().map(Task::getPid).toList();

            long epoch = api.nodes().getNodes(0).getStatus().getEpoch();
            cluster.killAgent("n1");
            cluster.restartAgent("n1");
            await().atMost(SOON)
                    .until(() -> api.nodes().getNodes(0).getStatus().getEpoch() > epoch
                            && api.nodes().getNodes(0).getStatus().getState() == NodeState.NODE_STATE_READY);
            assertThat(api.job("keeps").getTasksList()).extracting(Task::getPid).isEqualTo(pids);
            assertThat(pids).allMatch(pid -> ProcessHandle.of(pid).isPresent());

            org.assertj.core.util.Files.newFile(folder.resolve("stop").toString());
            GetJobResponse done = awaitPhase(api, "keeps", JobPhase.JOB_PHASE_SUCCEEDED);
            assertThat(done.getJob().getStatus().getAttempt()).isEqualTo(1);
            assertThat(cluster.stopAgent("n1")).isZero();
            assertThat(cluster.stopServer(0)).isZero();
        }
    }

    @Test
    void aFrozenLeaderIsReplacedAndDoesNoHarmWhenItWakes() {
        ClusterLayout layout = ClusterLayout.of(folder, 3);
        try (ProcessCluster cluster = ProcessCluster.start(layout);
                Api api = Api.of(layout)) {
            cluster.startAgent("n1", "0", "1Gi");
            awaitReady(api, 1);
            api.submit(Api.shellJob("steady", 2, "while [ ! -e " + folder.resolve("stop") + " ]; do sleep 0.2; done"));
            await().atMost(SOON)
                    .until(() -> api.job("steady").getTasksList().stream()
                            .allMatch(task -> task.getState() == TaskState.TASK_STATE_RUNNING));
            int frozen = Integer.parseInt(api.status().getLeaderId().substring(1)) - 1;
            String frozenId = "s" + (frozen + 1);

            cluster.freezeServer(frozen);
            try (Api others = new Api(layout.endpoints().stream()
                    .filter(endpoint -> !endpoint.equals(layout.endpoint(frozen)))
                    .toList())) {
                others.submit(Api.shellJob("meanwhile", 1, "true"));
                awaitPhase(others, "meanwhile", JobPhase.JOB_PHASE_SUCCEEDED);
                assertThat(others.status().getLeaderId()).isNotEqualTo(frozenId);
                cluster.thawServer(frozen);
                try (Api woken = new Api(List.of(layout.endpoint(frozen)))) {
                    assertThat(woken.job("meanwhile").getJob().getStatus().getPhase())
                            .isEqualTo(JobPhase.JOB_PHASE_SUCCEEDED);
                }
            }
            org.assertj.core.util.Files.newFile(folder.resolve("stop").toString());
            GetJobResponse done = awaitPhase(api, "steady", JobPhase.JOB_PHASE_SUCCEEDED);
            assertThat(done.getJob().getStatus().getAttempt()).isEqualTo(1);
        }
    }
}
