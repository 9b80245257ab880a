package io.surestate.testkit.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.EnvVar;
import io.surestate.api.v1.HoldState;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.Resources;
import io.surestate.api.v1.TaskGroup;
import io.surestate.api.v1.WatchEvent;
import io.surestate.api.v1.WatchFilter;
import io.surestate.client.ClusterPicture;
import io.surestate.client.ClusterView;
import io.surestate.client.ViewListener;
import io.surestate.testkit.cluster.Api;
import io.surestate.testkit.cluster.ClusterLayout;
import io.surestate.testkit.cluster.ProcessCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The documented example at work beside the default scheduler, and the documentation compared with it. */
class OwnSchedulerTest {
    private static final Duration SOON = Duration.ofSeconds(90);
    private static final int NODES = 4;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    @TempDir
    private Path folder;

    @AfterEach
    void stop() {
        threads.shutdownNow();
    }

    private static TaskGroup group(int tasks, int gpus, long runMillis) {
        return TaskGroup.newBuilder()
                .setName("worker")
                .setCount(tasks)
                .setResources(Resources.newBuilder()
                        .setCpuMillicores(1_500)
                        .setMemoryBytes(1L << 30)
                        .addDevices(DeviceRequest.newBuilder()
                                .setKind(DeviceKind.DEVICE_KIND_GPU)
                                .setCount(gpus)))
                .addCommand("train")
                .addEnv(EnvVar.newBuilder().setName("FAKE_RUN_MILLIS").setValue(Long.toString(runMillis)))
                .build();
    }

    private static Job job(String name, String scheduler, TaskGroup group) {
        return Job.newBuilder()
                .setName(name)
                .setSpec(JobSpec.newBuilder().setScheduler(scheduler).addGroups(group))
                .build();
    }

    /** At no revision a device is in two live allocations, and no gang is there in part. */
    private static final class NothingTwice implements ViewListener {
        private final Set<String> problems = new ConcurrentSkipListSet<>();

        @Override
        public void changed(ClusterPicture now, List<WatchEvent> events) {
            now.nodes().forEach(node -> {
                Set<Integer> seen = new HashSet<>();
                for (Allocation allocation : now.allocations(node.getName())) {
                    for (DeviceShare share : allocation.getClaim().getDevicesList()) {
                        if (!seen.add(share.getOrdinal())) {
                            problems.add(now.revision() + ": " + node.getName() + "/" + share.getOrdinal());
                        }
                    }
                }
            });
        }
    }

    @Test
    void placesItsJobsBesideTheDefaultScheduler() throws Exception {
        ClusterLayout layout = ClusterLayout.of(folder, 1);
        NothingTwice checker = new NothingTwice();
        try (ProcessCluster cluster = ProcessCluster.start(layout);
                Api api = Api.of(layout);
                ClusterView view =
                        ClusterView.open(api.client(), WatchFilter.getDefaultInstance(), threads, List.of(checker))) {
            cluster.startFakeNodes("fakes", NODES + "x8");
            await().atMost(SOON).until(() -> view.picture().nodes().size() == NODES);
            OwnScheduler scheduler = new OwnScheduler(api.client(), view);
            threads.execute(() -> {
                try {
                    scheduler.run();
                } catch (InterruptedException over) {
                    Thread.currentThread().interrupt();
                }
            });
            // Four gangs of each scheduler; two at a time fit.
            List<String> names = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                api.submit(job("ours-" + i, OwnScheduler.NAME, group(2, 8, 300)));
                api.submit(job("theirs-" + i, "", group(2, 8, 300)));
                names.addAll(List.of("ours-" + i, "theirs-" + i));
            }
            for (String name : names) {
                await().atMost(SOON)
                        .untilAsserted(() -> assertThat(
                                        api.job(name).getJob().getStatus().getPhase())
                                .as(name)
                                .isEqualTo(JobPhase.JOB_PHASE_SUCCEEDED));
            }
            await().atMost(SOON).until(() -> view.picture().jobs().isEmpty());
            assertThat(checker.problems).isEmpty();
        }
    }

    @Test
    void holdsDevicesUnderANameThenConfirmsThem() throws Exception {
        ClusterLayout layout = ClusterLayout.of(folder, 1);
        try (ProcessCluster cluster = ProcessCluster.start(layout);
                Api api = Api.of(layout);
                ClusterView view = ClusterView.open(api.client(), WatchFilter.getDefaultInstance(), threads)) {
            cluster.startFakeNodes("fakes", "1x8");
            await().atMost(SOON).until(() -> view.picture().nodes().size() == 1);
            OwnReservation reservation = new OwnReservation(api.client(), view);
            List<HoldState> whileSettling = new ArrayList<>();
            String hold = reservation
                    .reserve("notebook-7", group(1, 2, 0), () -> {
                        await().atMost(SOON).until(() -> !view.picture().holds().isEmpty());
                        view.picture().holds().forEach(it -> whileSettling.add(it.getState()));
                    })
                    .orElseThrow();
            assertThat(whileSettling).containsExactly(HoldState.HOLD_STATE_STANDING);
            await().atMost(SOON).until(() -> view.picture().hold(hold).isEmpty());
            assertThat(view.picture()
                            .allocations(
                                    view.picture().nodes().iterator().next().getName()))
                    .singleElement()
                    .satisfies(allocation -> {
                        assertThat(allocation.getName()).isEqualTo("notebook-7");
                        assertThat(allocation.getState()).isEqualTo(AllocationState.ALLOCATION_STATE_BOUND);
                        assertThat(allocation.getClaim().getDevicesCount()).isEqualTo(2);
                    });
            assertThat(reservation.reserve("too-much", group(1, 7, 0), () -> {}))
                    .isEmpty();
        }
    }

    @Test
    void theDocumentationShowsTheProgramAsItIs() throws Exception {
        String documentation = Files.readString(Repository.file("docs/embedding.md"));
        for (String program : List.of("OwnScheduler.java", "FreeNode.java", "OwnReservation.java")) {
            String source =
                    Files.readString(Repository.file("testkit/src/test/java/io/surestate/testkit/example/" + program));
            assertThat(documentation).contains("```java\n" + source.substring(source.indexOf("import ")) + "```\n");
        }
        String python = Files.readString(Repository.file("testkit/src/test/python/own_scheduler.py"));
        assertThat(documentation).contains("```python\n" + python + "```\n");
    }
}
