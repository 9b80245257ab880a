package io.surestate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.Domain;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.Resources;
import io.surestate.api.v1.TaskGroup;
import io.surestate.api.v1.WatchEvent;
import io.surestate.api.v1.WatchRequest;
import io.surestate.api.v1.WatchResponse;
import io.surestate.sim.cluster.VirtualCluster;
import io.surestate.sim.whatif.WhatIf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Three nodes of two devices; a job of two tasks runs on one of them. */
class SimulateLiveTest {
    private final FakeCluster cluster = new FakeCluster();

    @TempDir
    private Path folder;

    private static Job job(String name, int tasks) {
        return Job.newBuilder()
                .setName(name)
                .setTenant("default")
                .setSpec(JobSpec.newBuilder()
                        .setScheduler("default")
                        .addGroups(TaskGroup.newBuilder()
                                .setName("rank")
                                .setCount(tasks)
                                .setResources(Resources.newBuilder()
                                        .addDevices(DeviceRequest.newBuilder()
                                                .setKind(DeviceKind.DEVICE_KIND_GPU)
                                                .setCount(1)))))
                .build();
    }

    @BeforeEach
    void running() {
        VirtualCluster running = VirtualCluster.empty();
        for (int i = 1; i <= 3; i++) {
            NodeSpec.Builder spec = NodeSpec.newBuilder()
                    .addDomains(Domain.newBuilder().setLevel("supernode").setName("s1"));
            spec.addDevices(Device.newBuilder().setOrdinal(0).setKind(DeviceKind.DEVICE_KIND_GPU));
            spec.addDevices(Device.newBuilder().setOrdinal(1).setKind(DeviceKind.DEVICE_KIND_GPU));
            running.register("n" + i, spec.build());
        }
        new WhatIf(running).submitted(job("running", 2));
        WatchResponse.Builder list = WatchResponse.newBuilder()
                .setRevision(60)
                .setTimeMillis(Samples.BIRTH)
                .setInitial(true)
                .setLastInRevision(true)
                .setResumeToken("t");
        running.state().jobs().forEach(entry -> {
            list.addEvents(WatchEvent.newBuilder().setJob(entry.job()));
            entry.tasks().forEach(task -> list.addEvents(WatchEvent.newBuilder().setTask(task)));
        });
        running.state().nodes().forEach(entry -> {
            list.addEvents(WatchEvent.newBuilder().setNode(entry.node()));
            entry.allocations()
                    .forEach(place -> list.addEvents(WatchEvent.newBuilder().setAllocation(place)));
        });
        cluster.changes.add(list.build());
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private CommandRun run(String... args) {
        return CommandRun.of(cluster, args);
    }

    private String jobFile(int tasks) throws IOException {
        return Files.writeString(
                        folder.resolve("job.yaml"),
                        "name: new\nscheduler: default\ngroups: [{name: rank, count: " + tasks
                                + ", resources: {devices: [{kind: GPU, count: 1}]}, command: [train]}]\n")
                .toString();
    }

    @Test
    void saysWhereAJobWouldRunAndChangesNothing() throws IOException {
        CommandRun run = run("simulate", "--live", "--job", jobFile(4));

        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .containsPattern("new +4 +- +placed +n\\d x 2, n\\d x 2\n")
                .contains("(a copy of the cluster at revision 60; nothing was changed)");
        assertThat(cluster.submitted).allMatch(request -> request.getHeader().getValidateOnly());
        assertThat(cluster.asked).allMatch(WatchRequest.class::isInstance);
    }

    @Test
    void saysWhyAJobWouldWait() throws IOException {
        CommandRun run = run("simulate", "--live", "--job", jobFile(5), "-o", "json");

        JsonNode fate = new JsonMapper().readTree(run.out()).at("/jobs/0");
        assertThat(fate.get("placed").asBoolean()).isFalse();
        assertThat(fate.get("reason").asText()).startsWith("group rank: 4 of 5 tasks fit");
        assertThat(fate.get("revision").asLong()).isEqualTo(60);
    }

    @Test
    void saysWhichJobsLoseTasksWithANodeAndWhereTheyGo() throws IOException {
        CommandRun run = run("simulate", "--live", "--without", "n1,n2,n3", "-o", "json");
        JsonNode waits = new JsonMapper().readTree(run.out()).at("/jobs/0");

        assertThat(waits.get("name").asText()).isEqualTo("running");
        assertThat(waits.get("lost")).hasSize(2);
        assertThat(waits.get("placed").asBoolean()).isFalse();

        String node = waits.at("/lost/0/node").asText();
        CommandRun one = run("simulate", "--live", "--without", node);
        assertThat(one.out())
                .containsPattern("running +2 +2 +placed +n\\d x 2\n")
                .doesNotContain(node + " x");
    }

    @Test
    void playsAWorkloadBesideWhatRuns() throws IOException {
        Path trace = Files.writeString(folder.resolve("a.csv"), "num_gpu,submit_time,duration\n4,0,10000\n5,0,10000\n");

        CommandRun run = run("simulate", "--live", "--workload", "philly:" + trace);

        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .containsPattern("fcfs +easy +1 ")
                .contains("(2 allocations of now are kept for the whole replay")
                .contains("(1 jobs of the trace cannot be replayed");
    }

    @Test
    void refusesAJobWhoseNameIsTakenThere() throws IOException {
        String taken = Files.readString(Path.of(jobFile(1))).replace("name: new", "name: running");
        Path file = Files.writeString(folder.resolve("taken.yaml"), "tenant: default\n" + taken);

        CommandRun run = run("simulate", "--live", "--job", file.toString());

        assertThat(run.err()).startsWith("ssctl: ALREADY_EXISTS: name: \"running\"");
        assertThat(run.code()).isEqualTo(ExitCode.REFUSED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--live | --live: nothing is asked (expected: --job, --without or --workload)",
                "--job x.yaml | --job: given without --live (expected: both)",
                "--live --without n9 | --without: node: \"n9\" (expected: one that the cluster has)",
                "--live --job x --workload philly:y | --job: given with --workload (expected: one of them)",
                "--live --workload swf:y | --workload: \"swf:y\" (expected: philly:FILE, gavel:FILE)",
                "--live --workload philly:y --procs 4 | --cluster, --procs: given with --live",
                "--live --without n1 --backfill none | --backfill: given without a workload (expected: with --workload of form swf, philly, gavel)",
                "--live --without n1 --plot a.svg | --plot: given without a workload",
                "--live --job /nonexistent.yaml | /nonexistent.yaml: no such file (expected: a job file in YAML or JSON)",
            })
    void refusesWhatCannotBeAsked(String args, String message) {
        CommandRun run = run(("simulate " + args).split(" "));

        assertThat(run.err()).startsWith("ssctl: USAGE: " + message);
        assertThat(run.code()).isEqualTo(ExitCode.USAGE);
    }
}
