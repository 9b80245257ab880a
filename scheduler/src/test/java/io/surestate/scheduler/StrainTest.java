package io.surestate.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.JobType;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.Resources;
import io.surestate.api.v1.TaskGroup;
import io.surestate.api.v1.Telemetry;
import io.surestate.scheduler.PlacementView.NodeOffer;
import io.surestate.scheduler.policy.Policies;
import io.surestate.scheduler.pool.NodeRow;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class StrainTest {
    private static final int CORES = 4;

    private static PoolScheduler scheduler(String policy) {
        return new PoolScheduler("default", new Policies().named(policy).orElseThrow(), new SplittableRandom(1));
    }

    private static NodeOffer node(String name, int strain, Telemetry telemetry) {
        return new NodeOffer(
                name,
                List.of(name, strain),
                List.of(),
                () -> {
                    NodeRow.Builder row =
                            NodeRow.builder(name).strain(strain).epoch(1).memory(1 << 20);
                    for (int core = 0; core < CORES; core++) {
                        row.core(core, 1_000, core / 2);
                    }
                    return row.build();
                },
                telemetry);
    }

    private static PendingGang gang(JobType type, int tasks, long millicores) {
        return new PendingGang(
                "j",
                1,
                1,
                JobSpec.newBuilder()
                        .setType(type)
                        .addGroups(TaskGroup.newBuilder()
                                .setName("w")
                                .setCount(tasks)
                                .setResources(Resources.newBuilder().setCpuMillicores(millicores)))
                        .build());
    }

    private static List<String> nodes(Schedule schedule) {
        return schedule.plan().getGangs(0).getPlacementsList().stream()
                .map(Placement::getNode)
                .toList();
    }

    @Test
    void aHotNodeComesLastAndTheDecisionKeepsWhatItKnew() {
        Telemetry hot = Telemetry.newBuilder().setTemperatureCelsius(91).build();
        PlacementView view =
                new PlacementView(1, List.of(node("a", 1, hot), node("b", 0, Telemetry.getDefaultInstance())));
        Schedule schedule = scheduler("surestate").place(view, List.of(gang(JobType.JOB_TYPE_BATCH, 6, 1_000)));
        assertThat(nodes(schedule)).containsExactlyInAnyOrder("b", "b", "b", "b", "a", "a");
        assertThat(schedule.plan().getGangs(0).getPlacementsList())
                .allSatisfy(placement -> assertThat(placement.hasTelemetry())
                        .isEqualTo(placement.getNode().equals("a")));
    }

    @Test
    void aNodeThatCooledDownIsOneLikeTheOthers() {
        PoolScheduler scheduler = scheduler("bestfit");
        Telemetry unknown = Telemetry.getDefaultInstance();
        PlacementView hot = new PlacementView(1, List.of(node("a", 1, unknown), node("b", 0, unknown)));
        PlacementView cool = new PlacementView(2, List.of(node("a", 0, unknown), node("b", 0, unknown)));
        assertThat(nodes(scheduler.place(hot, List.of(gang(JobType.JOB_TYPE_BATCH, 1, 1_000)))))
                .containsExactly("b");
        assertThat(nodes(scheduler.place(cool, List.of(gang(JobType.JOB_TYPE_BATCH, 1, 1_000)))))
                .containsExactly("a");
    }

    @Property(tries = 100)
    void noTaskIsOnAHotterNodeThanOneThatHadRoom(
            @ForAll @Size(min = 1, max = 6) List<@IntRange(max = 2) Integer> strains) {
        List<NodeOffer> offers = new ArrayList<>();
        for (int i = 0; i < strains.size(); i++) {
            offers.add(node("n" + i, strains.get(i), Telemetry.getDefaultInstance()));
        }
        int tasks = strains.size() * CORES / 2;
        Schedule schedule = scheduler("surestate")
                .place(new PlacementView(1, offers), List.of(gang(JobType.JOB_TYPE_BATCH, tasks, 1_000)));
        int hottest = nodes(schedule).stream()
                .mapToInt(node -> strains.get(Integer.parseInt(node.substring(1))))
                .max()
                .orElseThrow();
        long coolerRoom =
                CORES * strains.stream().filter(strain -> strain < hottest).count();
        long onCooler = nodes(schedule).stream()
                .filter(node -> strains.get(Integer.parseInt(node.substring(1))) < hottest)
                .count();
        assertThat(onCooler).isEqualTo(coolerRoom);
    }

    @Test
    void anHpcTaskLiesInOneNumaPlaceWhereItCan() {
        PlacementView view = new PlacementView(1, List.of(node("a", 0, Telemetry.getDefaultInstance())));
        Schedule two = scheduler("surestate").place(view, List.of(gang(JobType.JOB_TYPE_HPC, 2, 2_000)));
        assertThat(two.plan().getGangs(0).getPlacementsList())
                .extracting(placement -> placement.getClaim().getCores(0).getCoreId() / 2
                        - placement.getClaim().getCores(1).getCoreId() / 2)
                .containsOnly(0);
        Schedule wide = scheduler("surestate").place(view, List.of(gang(JobType.JOB_TYPE_HPC, 1, 3_000)));
        assertThat(wide.plan().getGangsCount()).isEqualTo(1);
    }
}
