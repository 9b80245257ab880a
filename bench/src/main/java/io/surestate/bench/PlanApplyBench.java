package io.surestate.bench;

import io.surestate.api.v1.Claim;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceHealth;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.Hello;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.NumaNode;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.Plan;
import io.surestate.log.v1.CommitPlan;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.InitCluster;
import io.surestate.log.v1.LogEntry;
import io.surestate.log.v1.RegisterNode;
import io.surestate.log.v1.ReleaseAllocations;
import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.CommittedEntry;
import io.surestate.statemachine.EntryCheck;
import io.surestate.statemachine.StateEngine;
import io.surestate.statemachine.state.Change;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.Conservation;
import io.surestate.statemachine.store.RocksStateStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * One plan on the apply thread: decision, digest, rows, write batch to RocksDB; with conservation checked at the entry and without. Each
 * place is one device and four cores of a node of 128 cores and 8 devices; what was placed is released before the next plan, untimed.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Fork(
        value = 1,
        jvmArgs = {"-Xms2g", "-Xmx2g", "-XX:+UseG1GC"})
@Warmup(iterations = 40)
@Measurement(iterations = 40)
public class PlanApplyBench {
    private static final int DEVICES = 8;
    private static final int CORES = 128;
    private static final int CORES_PER_PLACE = 4;
    private static final String GANG = "gang";

    /** One place is a small commit; 10,000 are the largest plan. */
    @Param({"1", "100", "10000"})
    private int placements;

    @Param({"true", "false"})
    private boolean checked;

    private Path folder = Path.of("");
    private StateEngine engine = StateEngine.open(new io.surestate.statemachine.store.InMemoryStateStore());
    private CommittedEntry plan = CommittedEntry.empty(1, 1);
    private long index;
    private long checkNanos;
    private final List<Double> shares = new ArrayList<>();

    @Setup
    public void open() throws IOException {
        folder = Files.createTempDirectory("plan-apply");
        EntryCheck check = checked ? this::timedCheck : (state, changes) -> {};
        engine = StateEngine.open(
                RocksStateStore.open(folder.resolve("state")),
                (entry, command, fault) -> {
                    throw new IllegalStateException(fault);
                },
                check);
        apply(Envelope.newBuilder()
                .setInitCluster(InitCluster.newBuilder().setClusterId("c").setHistoryId("h")));
        for (int i = 0; i * DEVICES < placements; i++) {
            apply(Envelope.newBuilder()
                    .setRegisterNode(RegisterNode.newBuilder()
                            .setHello(Hello.newBuilder()
                                    .setClusterId("c")
                                    .setNodeName(node(i))
                                    .setNodeId("id-" + i)
                                    .setBootId("b")
                                    .setSpec(spec()))));
        }
    }

    private void timedCheck(ClusterState state, List<Change> changes) {
        long before = System.nanoTime();
        Conservation.checkTouched(state, changes);
        checkNanos = System.nanoTime() - before;
    }

    private static String node(int number) {
        return String.format("n%05d", number);
    }

    private static NodeSpec spec() {
        NumaNode.Builder numa = NumaNode.newBuilder();
        for (int core = 0; core < CORES; core++) {
            numa.addCoreIds(core);
        }
        NodeSpec.Builder spec = NodeSpec.newBuilder().addNuma(numa).setMemoryBytes(1L << 40);
        for (int device = 0; device < DEVICES; device++) {
            spec.addDevices(Device.newBuilder()
                    .setOrdinal(device)
                    .setKind(DeviceKind.DEVICE_KIND_GPU)
                    .setModel("H100")
                    .setHealth(DeviceHealth.DEVICE_HEALTH_HEALTHY));
        }
        return spec.build();
    }

    @Setup(Level.Invocation)
    public void nextPlan() {
        apply(Envelope.newBuilder()
                .setTenant("default")
                .setReleaseAllocations(ReleaseAllocations.newBuilder().setName(GANG)));
        GangPlacement.Builder gang = GangPlacement.newBuilder().setName(GANG);
        for (int i = 0; i < placements; i++) {
            gang.addPlacements(placement(i));
        }
        plan = entry(Envelope.newBuilder()
                .setTenant("default")
                .setCommitPlan(CommitPlan.newBuilder()
                        .setPlan(Plan.newBuilder().setScheduler("bench").addGangs(gang))));
    }

    private Placement placement(int number) {
        int onNode = number % DEVICES;
        String name = node(number / DEVICES);
        Claim.Builder claim = Claim.newBuilder()
                .setMemoryBytes(1 << 30)
                .addDevices(DeviceShare.newBuilder().setOrdinal(onNode).setMilli(1_000));
        for (int core = 0; core < CORES_PER_PLACE; core++) {
            claim.addCores(CoreShare.newBuilder()
                    .setCoreId(onNode * CORES_PER_PLACE + core)
                    .setMilli(1_000));
        }
        return Placement.newBuilder()
                .setNode(name)
                .setNodeEpoch(engine.view()
                        .state()
                        .node(name)
                        .orElseThrow()
                        .node()
                        .getStatus()
                        .getEpoch())
                .setClaim(claim)
                .build();
    }

    private CommittedEntry entry(Envelope.Builder command) {
        return CommittedEntry.of(
                1,
                ++index,
                LogEntry.newBuilder()
                        .setFeatureLevel(1)
                        .setTerm(1)
                        .setTimeMillis(index)
                        .addCommands(command)
                        .build());
    }

    private void apply(Envelope.Builder command) {
        engine.apply(List.of(entry(command)));
    }

    @Benchmark
    public List<AppliedEntry> plan() {
        long before = System.nanoTime();
        List<AppliedEntry> applied = engine.apply(List.of(plan));
        shares.add((double) checkNanos / (System.nanoTime() - before));
        if (applied.get(0).outcomes().get(0).getPlan().getCommittedCount() != 1) {
            throw new IllegalStateException("not committed: " + applied.get(0).outcomes());
        }
        return applied;
    }

    /** The share of conservation's check within each very apply is told beside the figures: noise between runs does not touch it. */
    @TearDown
    public void close() {
        List<Double> sorted = shares.stream().sorted().toList();
        System.out.printf(
                "conservation check: %.1f %% of apply (median of %d)%n",
                100 * sorted.get(sorted.size() / 2), sorted.size());
        engine.close();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
