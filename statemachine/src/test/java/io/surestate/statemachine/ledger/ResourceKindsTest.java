package io.surestate.statemachine.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.Claim;
import io.surestate.api.v1.ConflictKind;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.Countable;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.Hello;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.Nic;
import io.surestate.api.v1.NicShare;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.NumaNode;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.PlanConflict;
import io.surestate.api.v1.PlanResult;
import io.surestate.api.v1.Resources;
import io.surestate.api.v1.Storage;
import io.surestate.api.v1.StorageShare;
import io.surestate.statemachine.fixture.Commands;
import io.surestate.statemachine.fixture.TestCluster;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** Every kind of thing that a task may ask for: given exactly, and refused where it is not what was asked or not there any more. */
class ResourceKindsTest {
    private static final long GIB = 1L << 30;
    private int jobs;

    @Test
    void sharesOfOneDeviceAddUpToAWholeOne() {
        try (TestCluster cluster = cluster()) {
            Resources half = gpu(request -> request.setCount(1).setShareMilli(500));
            assertCommitted(place(cluster, half, device(0, 500)));
            assertCommitted(place(cluster, half, device(0, 500)));
            assertConflict(place(cluster, half, device(0, 500)), ConflictKind.CONFLICT_KIND_TAKEN, "device 0");
            assertConflict(place(cluster, half, device(1, 600)), ConflictKind.CONFLICT_KIND_CLAIM, "devices");
        }
    }

    @Test
    void aConflictNamesTheNewestHolderBecauseThereWasRoomBeforeIt() {
        try (TestCluster cluster = cluster()) {
            Resources most = gpu(request -> request.setCount(1).setShareMilli(400));
            assertCommitted(place(cluster, most, device(0, 400)));
            assertCommitted(place(cluster, most, device(0, 400)));
            long since = cluster.state().revision();
            PlanConflict conflict = place(cluster, most, device(0, 400)).getConflicts(0);
            assertThat(conflict.getFree()).isEqualTo(200);
            assertThat(conflict.getSinceRevision()).isEqualTo(since);
            assertThat(cluster.state().node("n1").orElseThrow().allocation(conflict.getHolder()))
                    .hasValueSatisfying(holder -> assertThat(holder.getEpoch()).isEqualTo(since));
        }
    }

    @Test
    void aPartitionedDeviceIsGivenOutByItsPartitionsAlone() {
        try (TestCluster cluster = cluster()) {
            assertConflict(
                    place(cluster, gpu(request -> request.setCount(1)), device(2, 1_000)),
                    ConflictKind.CONFLICT_KIND_TAKEN,
                    "device 2");
            Resources slice = gpu(request -> request.setCount(1).setPartition("3g.40gb"));
            assertCommitted(place(cluster, slice, device(3, 1_000)));
            assertConflict(place(cluster, slice, device(3, 1_000)), ConflictKind.CONFLICT_KIND_TAKEN, "device 3");
            assertConflict(place(cluster, slice, device(0, 1_000)), ConflictKind.CONFLICT_KIND_CLAIM, "devices");
            assertCommitted(place(cluster, slice, device(4, 1_000)));
        }
    }

    @Test
    void devicesAreAskedForByModelsVendorAndMemory() {
        try (TestCluster cluster = cluster()) {
            Resources large = gpu(request -> request.setCount(1).setMemoryBytes(80 * GIB));
            assertConflict(place(cluster, large, device(0, 1_000)), ConflictKind.CONFLICT_KIND_CLAIM, "devices");
            Resources either =
                    gpu(request -> request.setCount(1).addModels("A100").addModels("H100"));
            assertConflict(place(cluster, either, device(5, 1_000)), ConflictKind.CONFLICT_KIND_CLAIM, "devices");
            Resources amd = gpu(request -> request.setCount(1).setVendor("AMD"));
            assertConflict(place(cluster, amd, device(0, 1_000)), ConflictKind.CONFLICT_KIND_CLAIM, "devices");
            assertCommitted(place(cluster, amd, device(5, 1_000)));
            assertCommitted(place(cluster, either, device(0, 1_000)));
            assertCommitted(place(cluster, large, device(1, 1_000)));
        }
    }

    @Test
    void requestsThatOverlapAreServedIfAnyAssignmentServesThem() {
        try (TestCluster cluster = cluster()) {
            // The only device with 80 GiB must not be counted for the request that any device serves.
            Resources both = Resources.newBuilder()
                    .addDevices(gpuRequest().setCount(1))
                    .addDevices(gpuRequest().setCount(1).setMemoryBytes(80 * GIB))
                    .build();
            assertCommitted(place(cluster, both, device(0, 1_000), device(1, 1_000)));
        }
    }

    @Test
    void bandwidthComesFromOneOrMoreNicsAndStorageFromOne() {
        try (TestCluster cluster = cluster()) {
            Resources network =
                    Resources.newBuilder().setNetworkBitsPerSecond(150).build();
            assertConflict(place(cluster, network, nic("eth0", 100)), ConflictKind.CONFLICT_KIND_CLAIM, "network");
            assertCommitted(place(cluster, network, nic("eth0", 100), nic("eth1", 50)));
            assertConflict(
                    place(cluster, network, nic("eth0", 100), nic("eth1", 50)),
                    ConflictKind.CONFLICT_KIND_TAKEN,
                    "nic eth0");
            Resources disk = Resources.newBuilder().setStorageBytes(60).build();
            assertConflict(
                    place(cluster, disk, storage("nvme0", 30), storage("nvme1", 30)),
                    ConflictKind.CONFLICT_KIND_CLAIM,
                    "storage");
            assertCommitted(place(cluster, disk, storage("nvme0", 60)));
            assertConflict(
                    place(cluster, disk, storage("nvme0", 60)), ConflictKind.CONFLICT_KIND_TAKEN, "storage nvme0");
        }
    }

    @Test
    void countablesAreCounted() {
        try (TestCluster cluster = cluster()) {
            Resources licences = Resources.newBuilder()
                    .addCountables(countable("licenses/ansys", 12))
                    .build();
            assertCommitted(place(cluster, licences, claim -> claim.addCountables(countable("licenses/ansys", 12))));
            assertConflict(
                    place(cluster, licences, claim -> claim.addCountables(countable("licenses/ansys", 12))),
                    ConflictKind.CONFLICT_KIND_TAKEN,
                    "licenses/ansys");
            assertConflict(
                    place(cluster, licences, claim -> claim.addCountables(countable("licenses/ansys", 8))),
                    ConflictKind.CONFLICT_KIND_CLAIM,
                    "countables");
            Resources other = Resources.newBuilder()
                    .addCountables(countable("dongles", 1))
                    .build();
            assertConflict(
                    place(cluster, other, claim -> claim.addCountables(countable("dongles", 1))),
                    ConflictKind.CONFLICT_KIND_CLAIM,
                    "dongles");
        }
    }

    @Test
    void alignedTasksStayInOneNumaPlace() {
        try (TestCluster cluster = cluster()) {
            Resources aligned = gpu(request -> request.setCount(1)).toBuilder()
                    .setCpuMillicores(1_000)
                    .setNumaAligned(true)
                    .build();
            assertConflict(
                    place(cluster, aligned, core(0), device(1, 1_000)), ConflictKind.CONFLICT_KIND_CLAIM, "NUMA");
            assertCommitted(place(cluster, aligned, core(2), device(1, 1_000)));
        }
    }

    /** Cores 0-1 and GPU 0 in place 0; cores 2-3 and GPU 1 in place 1; GPU 2 has partitions 3 and 4; GPU 5 is another vendor's. */
    private static TestCluster cluster() {
        TestCluster cluster = TestCluster.with();
        Hello.Builder hello = Commands.hello("n1");
        hello.setSpec(NodeSpec.newBuilder()
                .addNuma(NumaNode.newBuilder().setId(0).addCoreIds(0).addCoreIds(1))
                .addNuma(NumaNode.newBuilder().setId(1).addCoreIds(2).addCoreIds(3))
                .addDevices(gpu(0, "A100", 40, 0))
                .addDevices(gpu(1, "H100", 80, 1))
                .addDevices(gpu(2, "H100", 80, -1))
                .addDevices(gpu(3, "H100", 40, -1).setParentPlusOne(3).setPartition("3g.40gb"))
                .addDevices(gpu(4, "H100", 40, -1).setParentPlusOne(3).setPartition("3g.40gb"))
                .addDevices(gpu(5, "MI300X", 192, -1).setVendor("AMD"))
                .addNics(Nic.newBuilder().setName("eth0").setBitsPerSecond(100))
                .addNics(Nic.newBuilder().setName("eth1").setBitsPerSecond(100))
                .addStorage(Storage.newBuilder().setName("nvme0").setCapacityBytes(100))
                .addStorage(Storage.newBuilder().setName("nvme1").setCapacityBytes(100))
                .addCountables(countable("licenses/ansys", 20)));
        cluster.run(Commands.register(hello));
        return cluster;
    }

    private static Device.Builder gpu(int ordinal, String model, long gib, int numa) {
        return Commands.gpu(ordinal, model).toBuilder()
                .setVendor("NVIDIA")
                .setMemoryBytes(gib * GIB)
                .setNumaNode(numa);
    }

    private static DeviceRequest.Builder gpuRequest() {
        return DeviceRequest.newBuilder().setKind(DeviceKind.DEVICE_KIND_GPU);
    }

    private static Resources gpu(UnaryOperator<DeviceRequest.Builder> request) {
        return Resources.newBuilder().addDevices(request.apply(gpuRequest())).build();
    }

    private static Countable countable(String name, long amount) {
        return Countable.newBuilder().setName(name).setAmount(amount).build();
    }

    private static Consumer<Claim.Builder> device(int ordinal, int milli) {
        return claim ->
                claim.addDevices(DeviceShare.newBuilder().setOrdinal(ordinal).setMilli(milli));
    }

    private static Consumer<Claim.Builder> core(int id) {
        return claim -> claim.addCores(CoreShare.newBuilder().setCoreId(id).setMilli(1_000));
    }

    private static Consumer<Claim.Builder> nic(String name, long bits) {
        return claim -> claim.addNics(NicShare.newBuilder().setNic(name).setBitsPerSecond(bits));
    }

    private static Consumer<Claim.Builder> storage(String name, long bytes) {
        return claim ->
                claim.addStorage(StorageShare.newBuilder().setStorage(name).setBytes(bytes));
    }

    /** A job of one task that asks for this, placed so. */
    @SafeVarargs
    private PlanResult place(TestCluster cluster, Resources asked, Consumer<Claim.Builder>... parts) {
        JobSpec.Builder spec = Commands.gang(1, 0, 0);
        spec.getGroupsBuilder(0).setResources(asked);
        Job job = cluster.submit("job-" + jobs++, spec.build());
        Claim.Builder claim = Claim.newBuilder();
        for (Consumer<Claim.Builder> part : parts) {
            part.accept(claim);
        }
        return cluster.run(Commands.plan(GangPlacement.newBuilder()
                        .setJobUid(job.getUid())
                        .setGeneration(job.getGeneration())
                        .setAttempt(1)
                        .addPlacements(Placement.newBuilder()
                                .setGroup("worker")
                                .setNode("n1")
                                .setNodeEpoch(cluster.epoch("n1"))
                                .setClaim(claim))
                        .build()))
                .getPlan();
    }

    private static void assertCommitted(PlanResult result) {
        assertThat(result.getConflictsList()).isEmpty();
        assertThat(result.getCommittedCount()).isEqualTo(1);
    }

    private static void assertConflict(PlanResult result, ConflictKind kind, String what) {
        Optional<PlanConflict> conflict = result.getConflictsList().stream().findFirst();
        assertThat(conflict.map(PlanConflict::getKind)).contains(kind);
        assertThat(conflict.map(PlanConflict::getWhat)).contains(what);
    }
}
