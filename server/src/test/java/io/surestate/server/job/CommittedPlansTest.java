package io.surestate.server.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.Countable;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceHealth;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.Domain;
import io.surestate.api.v1.Hello;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.JobType;
import io.surestate.api.v1.Link;
import io.surestate.api.v1.Nic;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.Resources;
import io.surestate.api.v1.Storage;
import io.surestate.api.v1.TaskGroup;
import io.surestate.api.v1.Topology;
import io.surestate.server.fixture.LoneServer;
import io.surestate.server.fixture.NoAgent;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.statistics.Statistics;

/** The scheduler and the ledger agree on every kind of thing: what the one plans on what it saw, the other commits. */
class CommittedPlansTest {
    private static final long GIB = 1L << 30;
    private static final int NODES = 4;
    private static final int JOBS = 25;

    @Property(tries = 150, seed = "20261201")
    void aPlanMadeFromTheNewestStateMeetsNoConflict(@ForAll long seed) {
        Random random = new Random(seed);
        LoneServer server = LoneServer.leading();
        for (int node = 0; node < NODES; node++) {
            server.core().agents().hello(new NoAgent(), hello("n" + node, random));
            server.settle();
        }
        for (int i = 0; i < JOBS; i++) {
            server.submit(job("j" + i, random));
        }
        server.advance(500);
        assertThat(server.faults()).isEmpty();
        assertThat(server.planConflicts()).isEmpty();
        for (int i = 0; i < JOBS; i++) {
            Job job = server.state().liveJob("default", "j" + i).orElseThrow().job();
            boolean waits = job.getStatus().getPhase() == JobPhase.JOB_PHASE_PENDING;
            Statistics.collect(waits ? "waits" : "placed");
            if (waits) {
                assertThat(server.core().scheduling().reason(job.getUid()))
                        .hasValueSatisfying(why -> assertThat(why).startsWith("group g: "));
            }
        }
        Statistics.coverage(coverage -> {
            coverage.check("placed").percentage(share -> share > 20);
            coverage.check("waits").percentage(share -> share > 5);
        });
    }

    private static Hello hello(String name, Random random) {
        NodeSpec.Builder spec = NodeSpec.newBuilder().setMemoryBytes((1 + random.nextInt(16)) * GIB);
        int places = 1 + random.nextInt(2);
        for (int core = 0; core < places * 4; core++) {
            if (core % 4 == 0) {
                spec.addNumaBuilder().setId(core / 4);
            }
            spec.getNumaBuilder(core / 4).addCoreIds(core);
        }
        int devices = random.nextInt(7);
        for (int ordinal = 0; ordinal < devices; ordinal++) {
            spec.addDevices(device(ordinal, places, random));
        }
        int parent = random.nextInt(4);
        if (parent < devices) {
            for (int part = 0; part < 2; part++) {
                spec.addDevices(spec.getDevices(parent).toBuilder()
                        .setOrdinal(devices + part)
                        .setParentPlusOne(parent + 1)
                        .setPartition("1g"));
            }
        }
        for (int other = 1; other < devices; other++) {
            spec.addLinks(Link.newBuilder()
                    .setFromOrdinal(other - 1)
                    .setToOrdinal(other)
                    .setBitsPerSecond(1_000));
        }
        spec.addNics(Nic.newBuilder().setName("eth0").setBitsPerSecond(100))
                .addNics(Nic.newBuilder().setName("ib0").setBitsPerSecond(400))
                .addStorage(Storage.newBuilder().setName("nvme0").setCapacityBytes(1_000))
                .addCountables(countable(random.nextInt(10)))
                .addDomains(Domain.newBuilder().setLevel("rack").setName("r" + random.nextInt(2)));
        return LoneServer.hello(name, "i", 1).toBuilder().setSpec(spec).build();
    }

    private static Device device(int ordinal, int places, Random random) {
        return Device.newBuilder()
                .setOrdinal(ordinal)
                .setKind(DeviceKind.DEVICE_KIND_GPU)
                .setModel(random.nextBoolean() ? "A" : "B")
                .setVendor(random.nextBoolean() ? "x" : "y")
                .setMemoryBytes(random.nextBoolean() ? 16 * GIB : 80 * GIB)
                .setNumaNode(random.nextInt(places + 1) - 1)
                .setHealth(DeviceHealth.DEVICE_HEALTH_HEALTHY)
                .build();
    }

    private static Countable countable(long amount) {
        return Countable.newBuilder().setName("licenses/a").setAmount(amount).build();
    }

    private static Job job(String name, Random random) {
        int count = 1 + random.nextInt(3);
        TaskGroup.Builder group = TaskGroup.newBuilder()
                .setName("g")
                .setCount(count)
                .addCommand("true")
                .setResources(resources(random))
                .setTopology(topology(count, random));
        return Job.newBuilder()
                .setName(name)
                .setSpec(JobSpec.newBuilder()
                        .setType(random.nextBoolean() ? JobType.JOB_TYPE_AI_TRAINING : JobType.JOB_TYPE_BATCH)
                        .addGroups(group))
                .build();
    }

    private static Topology topology(int count, Random random) {
        return switch (random.nextInt(6)) {
            case 0 -> Topology.newBuilder().setPack("rack").setRequired(true).build();
            case 1 -> Topology.newBuilder().setSpread("rack").setMaxPerDomain(2).build();
            case 2 ->
                Topology.newBuilder().setSliceLevel("rack").setSliceTasks(count).build();
            default -> Topology.getDefaultInstance();
        };
    }

    private static Resources resources(Random random) {
        Resources.Builder asked = Resources.newBuilder()
                .setCpuMillicores(random.nextInt(10) * 250L)
                .setMemoryBytes(random.nextInt(2) * GIB)
                .setNumaAligned(random.nextInt(4) == 0);
        for (int i = random.nextInt(3); i > 0; i--) {
            asked.addDevices(request(random));
        }
        if (random.nextInt(4) == 0) {
            asked.setNetworkBitsPerSecond(1 + random.nextInt(450));
        }
        if (random.nextInt(4) == 0) {
            asked.setStorageBytes(1 + random.nextInt(500));
        }
        if (random.nextInt(5) == 0) {
            asked.addCountables(countable(1 + random.nextInt(3)));
        }
        return asked.build();
    }

    private static DeviceRequest request(Random random) {
        DeviceRequest.Builder request =
                DeviceRequest.newBuilder().setKind(DeviceKind.DEVICE_KIND_GPU).setCount(1 + random.nextInt(2));
        switch (random.nextInt(7)) {
            case 0 -> request.setModel("A");
            case 1 -> request.addModels("A").addModels("B");
            case 2 -> request.setVendor("x");
            case 3 -> request.setMemoryBytes(40 * GIB);
            case 4 -> request.setPartition("1g").setCount(1);
            case 5 -> request.setShareMilli(1 + random.nextInt(999));
            default -> request.setCount(1);
        }
        return request.build();
    }
}
