package io.surestate.scheduler.gang;

import static io.surestate.scheduler.gang.Site.WHOLE_NODE;
import static io.surestate.scheduler.gang.Site.gpus;
import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.Topology;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class GangSearchTest {
    private static final Topology ANYWHERE = Topology.getDefaultInstance();

    private static GangAsk gang(int count, Topology topology) {
        return new GangAsk(List.of(new GroupAsk("w", WHOLE_NODE, count, topology)), ANYWHERE, Arrangement.NEAR);
    }

    private static String reason(GangResult result) {
        assertThat(result).isInstanceOf(GangResult.Waits.class);
        return ((GangResult.Waits) result).reason();
    }

    @Test
    void packsIntoTheTightestDomainThatHasRoom() {
        Site site = new Site();
        site.fill(4);
        Topology rack = Topology.newBuilder().setPack("rack").build();
        assertThat(site.nodes(site.place(gang(2, rack)))).containsExactly("n03", "n05");
    }

    @Test
    void goesOutwardsWhereTheInnerLevelIsTooSmall() {
        Site site = new Site();
        site.fill(0);
        Topology rack = Topology.newBuilder().setPack("rack").build();
        assertThat(site.nodes(site.place(gang(5, rack)))).containsExactly("n01", "n02", "n03", "n04", "n05");
        assertThat(site.nodes(site.place(gang(4, rack)))).containsExactly("n06", "n07", "n08", "n09");
    }

    @Test
    void requiredPackingNeverGoesOutwards() {
        Site site = new Site();
        Topology rack = Topology.newBuilder().setPack("rack").setRequired(true).build();
        assertThat(site.nodes(site.place(gang(3, rack)))).hasSize(3);
        long free = site.freeMilli();
        assertThat(reason(site.place(gang(4, rack))))
                .isEqualTo(
                        "group w: 3 of 4 tasks fit in one rack, the roomiest being hall=h0/rack=r1; the next would start with 8 devices more on n03");
        assertThat(site.freeMilli()).isEqualTo(free);
        Topology unknown =
                Topology.newBuilder().setPack("tray").setRequired(true).build();
        assertThat(reason(site.place(gang(1, unknown)))).contains("no node names the level \"tray\"");
    }

    @Test
    void theOutermostLevelIsNeverLeft() {
        Site site = new Site();
        site.fill(0, 6, 7);
        Topology hall = Topology.newBuilder().setPack("rack").setWithin("hall").build();
        assertThat(reason(site.place(gang(6, hall))))
                .contains("5 of 6 tasks fit in one hall, the roomiest being hall=h0");
        assertThat(site.nodes(site.place(gang(5, hall)))).allMatch(node -> node.compareTo("n06") < 0);
    }

    @Test
    void slicesLieEachInOneDomainAndInRankOrder() {
        Site site = new Site();
        site.fill(0, 3);
        Topology slices = Topology.newBuilder()
                .setWithin("hall")
                .setSliceTasks(2)
                .setSliceLevel("rack")
                .build();
        assertThat(site.nodes(site.place(gang(4, slices)))).containsExactly("n01", "n02", "n04", "n05");
        assertThat(reason(site.place(gang(6, slices))))
                .isEqualTo(
                        "group w: 2 of 3 slices of 2 tasks fit, each in one rack in one hall, the roomiest being hall=h1");
        Topology anyHall = slices.toBuilder().clearWithin().build();
        assertThat(reason(site.place(gang(6, anyHall))))
                .isEqualTo("group w: 2 of 3 slices of 2 tasks fit, each in one rack");
    }

    @Test
    void spreadsOverDomainsWithAMaximumInEach() {
        Site site = new Site();
        Topology spread = Topology.newBuilder().setSpread("rack").build();
        List<String> nodes = site.nodes(site.place(gang(4, spread)));
        assertThat(nodes).hasSize(4);
        assertThat(nodes.stream().map(node -> Integer.parseInt(node.substring(1)) / 3))
                .containsExactly(0, 1, 2, 3);
        assertThat(reason(site.place(gang(5, spread))))
                .isEqualTo("group w: 4 of 5 tasks fit with at most 1 in each rack; there are 4 of that level");
        Topology two = spread.toBuilder().setMaxPerDomain(2).build();
        assertThat(site.nodes(site.place(gang(8, two)))).hasSize(8);
    }

    @Test
    void groupsOfDifferentShapesGoTogetherOrNotAtAll() {
        Site site = new Site();
        GroupAsk workers = new GroupAsk("w", WHOLE_NODE, 2, ANYWHERE);
        GroupAsk helpers = new GroupAsk("h", gpus(3), 2, ANYWHERE);
        Topology rack = Topology.newBuilder().setPack("rack").setRequired(true).build();
        GangAsk gang = new GangAsk(List.of(workers, helpers), rack, Arrangement.NEAR);
        assertThat(site.nodes(site.place(gang)).stream()
                        .map(node -> Integer.parseInt(node.substring(1)) / 3)
                        .distinct())
                .hasSize(1);
        long free = site.freeMilli();
        GroupAsk more = new GroupAsk("h", gpus(3), 3, ANYWHERE);
        assertThat(reason(site.place(new GangAsk(List.of(workers, more), rack, Arrangement.NEAR))))
                .isNotEmpty();
        assertThat(site.freeMilli()).isEqualTo(free);
    }

    @Test
    void tasksThatDoNotTalkGoWhereThePolicyLikes() {
        Site site = new Site();
        GangAsk loose = new GangAsk(List.of(new GroupAsk("w", gpus(1), 20, ANYWHERE)), ANYWHERE, Arrangement.ANY);
        assertThat(site.nodes(site.place(loose))).hasSize(20);
    }

    /** Whatever was placed before: a gang lies as its topology says, ranks follow the fabric, and what waits has taken nothing. */
    @Property(tries = 300)
    void placedMeansAsAskedAndWaitsMeansNothingTaken(
            @ForAll @Size(max = 10) List<@IntRange(max = 11) Integer> filled,
            @ForAll @Size(min = 1, max = 6) List<@IntRange(min = 1, max = 8) Integer> sizes,
            @ForAll @IntRange(max = 3) int kind,
            @ForAll @IntRange(min = 1, max = 8) int gpus) {
        Site site = new Site();
        site.fill(filled.stream().distinct().mapToInt(Integer::intValue).toArray());
        for (int size : sizes) {
            Topology topology = topology(kind, size);
            long free = site.freeMilli();
            GangResult result = site.place(
                    new GangAsk(List.of(new GroupAsk("w", gpus(gpus), size, topology)), ANYWHERE, Arrangement.NEAR));
            if (result instanceof GangResult.Placed placed) {
                assertThat(site.freeMilli()).isEqualTo(free - 1_000L * gpus * size);
                check(site, placed.tasks(), topology);
            } else {
                assertThat(site.freeMilli()).isEqualTo(free);
                assertThat(reason(result)).startsWith("group w: ");
            }
        }
    }

    private static Topology topology(int kind, int size) {
        return switch (kind) {
            case 0 -> Topology.newBuilder().setPack("rack").setRequired(true).build();
            case 1 -> Topology.newBuilder().setSpread("rack").setMaxPerDomain(2).build();
            case 2 ->
                Topology.newBuilder()
                        .setSliceLevel("rack")
                        .setSliceTasks(size % 2 == 0 ? 2 : 1)
                        .build();
            default -> Topology.newBuilder().setPack("rack").setWithin("hall").build();
        };
    }

    private static void check(Site site, List<TaskPlace> tasks, Topology topology) {
        List<Integer> racks = tasks.stream()
                .map(task -> site.fabric.domainOf("rack", task.place().node()))
                .toList();
        List<Integer> ranks = tasks.stream()
                .map(task -> site.fabric.rank(task.place().node()))
                .toList();
        assertThat(ranks).isSorted();
        if (topology.getRequired()) {
            assertThat(racks).containsOnly(racks.get(0));
        }
        Map<Integer, Long> perRack =
                racks.stream().collect(Collectors.groupingBy(rack -> rack, TreeMap::new, Collectors.counting()));
        if (!topology.getSpread().isEmpty()) {
            assertThat(perRack.values()).allMatch(count -> count <= 2);
        }
        if (topology.getSliceTasks() > 0) {
            assertThat(perRack.values()).allMatch(count -> count % topology.getSliceTasks() == 0);
        }
        if (!topology.getWithin().isEmpty()) {
            assertThat(tasks.stream()
                            .map(task ->
                                    site.fabric.domainOf("hall", task.place().node()))
                            .distinct())
                    .hasSize(1);
        }
    }
}
