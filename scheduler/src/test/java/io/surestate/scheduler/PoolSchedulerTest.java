package io.surestate.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.Claim;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.Domain;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.Resources;
import io.surestate.api.v1.TaskGroup;
import io.surestate.scheduler.PlacementView.NodeOffer;
import io.surestate.scheduler.policy.Policies;
import io.surestate.scheduler.pool.NodeRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class PoolSchedulerTest {
    private static final long MIB = 1 << 20;
    private final PoolScheduler scheduler =
            new PoolScheduler("default", new Policies().named("bestfit").orElseThrow(), new SplittableRandom(1));

    private static NodeOffer node(String name, int cores, long memoryBytes, int gpus, Domain... domains) {
        return new NodeOffer(name, 1, List.of(domains), () -> {
            NodeRow.Builder row = NodeRow.builder(name).epoch(7).memory(memoryBytes);
            for (int i = 0; i < cores; i++) {
                row.core(i, 1000);
            }
            for (int i = 0; i < gpus; i++) {
                row.device(i, DeviceKind.DEVICE_KIND_GPU, "H100", 1000);
            }
            return row.build();
        });
    }

    private static TaskGroup group(String name, int count, long millicores, long memoryBytes, int gpus) {
        Resources.Builder resources =
                Resources.newBuilder().setCpuMillicores(millicores).setMemoryBytes(memoryBytes);
        if (gpus > 0) {
            resources.addDevices(DeviceRequest.newBuilder()
                    .setKind(DeviceKind.DEVICE_KIND_GPU)
                    .setCount(gpus));
        }
        return TaskGroup.newBuilder()
                .setName(name)
                .setCount(count)
                .setResources(resources)
                .build();
    }

    private static PendingGang gang(String uid, TaskGroup... groups) {
        return new PendingGang(
                uid, 1, 1, JobSpec.newBuilder().addAllGroups(List.of(groups)).build());
    }

    private Schedule place(PlacementView view, PendingGang... gangs) {
        return scheduler.place(view, List.of(gangs));
    }

    @Test
    void aGangIsRankedInTheOrderOfNodes() {
        PlacementView view = new PlacementView(5, List.of(node("a", 2, 100 * MIB, 0), node("b", 2, 100 * MIB, 0)));
        Schedule schedule = place(view, gang("j", group("w", 3, 1000, MIB, 0)));
        assertThat(schedule.plan().getGangs(0).getPlacementsList())
                .extracting(Placement::getNode)
                .containsExactly("a", "a", "b");
        assertThat(schedule.plan().getSeenRevision()).isEqualTo(5);
        assertThat(schedule.reasons()).isEmpty();
    }

    @Test
    void aGangThatDoesNotFitWholeTakesNothing() {
        PlacementView view = new PlacementView(5, List.of(node("a", 2, 100 * MIB, 0)));
        Schedule schedule =
                place(view, gang("big", group("w", 3, 1000, MIB, 0)), gang("small", group("w", 2, 1000, MIB, 0)));
        assertThat(schedule.plan().getGangsList()).extracting("jobUid").containsExactly("small");
        assertThat(schedule.reasons())
                .containsOnlyKeys("big")
                .containsEntry("big", "group w: 2 of 3 tasks fit now; the next would start with 1000m cpu more on a");
    }

    @Test
    void fractionsShareOneCoreAndWholeCoresAreOwnedAlone() {
        PlacementView view = new PlacementView(1, List.of(node("a", 2, 100 * MIB, 0)));
        Schedule schedule = place(view, gang("j", group("f", 2, 500, MIB, 0), group("w", 1, 1000, MIB, 0)));
        assertThat(schedule.plan().getGangs(0).getPlacementsList())
                .extracting(placement -> placement.getClaim().getCoresList())
                .containsExactly(
                        List.of(CoreShare.newBuilder()
                                .setCoreId(0)
                                .setMilli(500)
                                .build()),
                        List.of(CoreShare.newBuilder()
                                .setCoreId(0)
                                .setMilli(500)
                                .build()),
                        List.of(CoreShare.newBuilder()
                                .setCoreId(1)
                                .setMilli(1000)
                                .build()));
    }

    @Test
    void devicesAreChosenByKindAndNamedByOrdinal() {
        PlacementView view = new PlacementView(1, List.of(node("cpu", 4, 100 * MIB, 0), node("gpu", 4, 100 * MIB, 4)));
        Schedule schedule = place(view, gang("j", group("w", 2, 0, MIB, 2)));
        assertThat(schedule.plan().getGangs(0).getPlacementsList())
                .allMatch(placement -> placement.getNode().equals("gpu"))
                .extracting(placement -> placement.getClaim().getDevicesList().stream()
                        .map(device -> device.getOrdinal())
                        .toList())
                .containsExactly(List.of(0, 1), List.of(2, 3));
    }

    @Test
    void aPlanThatWasNotCommittedIsForgottenWithTheNextView() {
        PlacementView view = new PlacementView(1, List.of(node("a", 2, 100 * MIB, 0)));
        PendingGang gang = gang("j", group("w", 2, 1000, MIB, 0));
        assertThat(place(view, gang).plan().getGangsCount()).isEqualTo(1);
        assertThat(place(view, gang).plan().getGangsCount()).isEqualTo(1);
        assertThat(place(new PlacementView(2, List.of()), gang).reasons().get("j"))
                .startsWith("no node is ready");
        assertThat(place(view, gang).plan().getGangsCount()).isEqualTo(1);
    }

    @Test
    void aNodeThatLeftIsForgottenAlsoWhereAnotherCame() {
        PendingGang gang = gang("j", group("w", 2, 1000, MIB, 0));
        assertThat(place(new PlacementView(1, List.of(node("a", 2, 100 * MIB, 0))), gang)
                        .plan()
                        .getGangsCount())
                .isEqualTo(1);
        Schedule schedule = place(new PlacementView(2, List.of(node("b", 1, 100 * MIB, 0))), gang);
        assertThat(schedule.plan().getGangsCount()).isZero();
        assertThat(schedule.reasons().get("j")).startsWith("group w: 1 of 2 tasks fit now");
    }

    @Test
    void saysThatNoNodeIsReady() {
        Schedule schedule = place(new PlacementView(1, List.of()), gang("j", group("w", 1, 1, 1, 0)));
        assertThat(schedule.reasons().get("j")).startsWith("no node is ready");
    }

    @Property(tries = 100)
    void theSameViewsGiveTheSamePlans(
            @ForAll @Size(min = 1, max = 6) List<@IntRange(min = 1, max = 8) Integer> coresOfNodes,
            @ForAll @Size(min = 1, max = 12) List<@IntRange(min = 1, max = 4000) Integer> millicores) {
        List<NodeOffer> nodes = new ArrayList<>();
        for (int i = 0; i < coresOfNodes.size(); i++) {
            nodes.add(node("n" + i, coresOfNodes.get(i), 8 * MIB, 2));
        }
        List<PendingGang> gangs = new ArrayList<>();
        for (int i = 0; i < millicores.size(); i++) {
            gangs.add(gang("j" + i, group("w", 1 + i % 3, millicores.get(i), MIB, i % 2)));
        }
        for (String policy : List.of("surestate", "random")) {
            PoolScheduler one =
                    new PoolScheduler("default", new Policies().named(policy).orElseThrow(), new SplittableRandom(7));
            PoolScheduler other =
                    new PoolScheduler("default", new Policies().named(policy).orElseThrow(), new SplittableRandom(7));
            for (int pass = 1; pass <= 3; pass++) {
                PlacementView view = new PlacementView(pass, nodes);
                assertThat(one.place(view, gangs)).isEqualTo(other.place(view, gangs));
            }
        }
    }

    @Property(tries = 300)
    void nothingIsGivenTwice(
            @ForAll @Size(min = 1, max = 6) List<@IntRange(min = 1, max = 8) Integer> coresOfNodes,
            @ForAll @Size(min = 1, max = 12) List<@IntRange(min = 1, max = 4000) Integer> millicores,
            @ForAll @IntRange(min = 1, max = 5) int count) {
        List<NodeOffer> nodes = new ArrayList<>();
        for (int i = 0; i < coresOfNodes.size(); i++) {
            nodes.add(node("n" + i, coresOfNodes.get(i), 8 * MIB, 2));
        }
        List<PendingGang> gangs = new ArrayList<>();
        for (int i = 0; i < millicores.size(); i++) {
            gangs.add(gang("j" + i, group("w", count, millicores.get(i), MIB, i % 2)));
        }
        Schedule schedule = scheduler.place(new PlacementView(1, nodes), gangs);

        Map<String, Long> cores = new HashMap<>();
        Map<String, Long> memory = new HashMap<>();
        Map<String, Long> devices = new HashMap<>();
        schedule.plan().getGangsList().forEach(gang -> {
            assertThat(gang.getPlacementsCount()).isEqualTo(count);
            gang.getPlacementsList().forEach(placement -> {
                Claim claim = placement.getClaim();
                claim.getCoresList()
                        .forEach(core -> cores.merge(
                                placement.getNode() + "/" + core.getCoreId(), (long) core.getMilli(), Long::sum));
                claim.getDevicesList()
                        .forEach(device -> devices.merge(
                                placement.getNode() + "/" + device.getOrdinal(), (long) device.getMilli(), Long::sum));
                memory.merge(placement.getNode(), claim.getMemoryBytes(), Long::sum);
            });
        });
        assertThat(cores.values()).allMatch(milli -> milli <= 1000);
        assertThat(devices.values()).allMatch(milli -> milli <= 1000);
        assertThat(memory.values()).allMatch(bytes -> bytes <= 8 * MIB);
        assertThat(schedule.plan().getGangsCount() + schedule.reasons().size()).isEqualTo(gangs.size());
    }
}
