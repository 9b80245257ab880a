package io.surestate.scheduler.gang;

import static io.surestate.scheduler.gang.Site.WHOLE_NODE;
import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.Topology;
import io.surestate.scheduler.pool.NodeSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ElasticGangSearchTest {
    private static final Topology ANYWHERE = Topology.getDefaultInstance();

    private static Topology inOneRack() {
        return Topology.newBuilder().setPack("rack").setRequired(true).build();
    }

    private static GangAsk gang(int fewest, int count, int spares, Topology topology) {
        return new GangAsk(
                List.of(new GroupAsk("w", WHOLE_NODE, count, fewest, spares, topology)), ANYWHERE, Arrangement.NEAR);
    }

    private static Map<Integer, String> byIndex(Site site, GangResult result) {
        TreeMap<Integer, String> nodes = new TreeMap<>();
        ((GangResult.Placed) result)
                .tasks()
                .forEach(task -> nodes.put(
                        task.index(), site.pool.node(task.place().node()).name()));
        return nodes;
    }

    private static List<String> grow(Site site, List<Integer> open, Map<Integer, Integer> joined, Topology topology) {
        NodeSet nodes =
                NodeSet.of(joined.values().stream().mapToInt(Integer::intValue).toArray());
        GrowthAsk ask = new GrowthAsk("w", WHOLE_NODE, open, new TreeMap<>(joined), nodes, topology, ANYWHERE);
        return new GrowthSearch(site.pool, site.placer, site.fabric)
                .place(ask, NodeSet.range(0, site.pool.size())).stream()
                        .map(task -> task.index() + "@"
                                + site.pool.node(task.place().node()).name())
                        .toList();
    }

    @Test
    void startsAsLargeAsThereIsRoom() {
        Site site = new Site();
        site.fill(0, 1, 2, 3, 4);
        assertThat(byIndex(site, site.place(gang(2, 10, 0, ANYWHERE))))
                .hasSize(7)
                .containsKey(6);
        assertThat(site.freeMilli()).isZero();
    }

    @Test
    void staysWithinItsDomainRatherThanGrowOutOfIt() {
        Site site = new Site();
        site.fill(0, 3, 6, 7);
        assertThat(byIndex(site, site.place(gang(2, 6, 0, inOneRack()))))
                .containsExactlyInAnyOrderEntriesOf(Map.of(0, "n09", 1, "n10", 2, "n11"));
    }

    @Test
    void belowItsFewestItTakesNothingAndSaysHowManyItNeeds() {
        Site site = new Site();
        site.fill(0, 3, 6, 9);
        long free = site.freeMilli();
        GangResult result = site.place(gang(3, 6, 0, inOneRack()));
        assertThat(((GangResult.Waits) result).reason()).contains("2 of 3 tasks fit in one rack");
        assertThat(site.freeMilli()).isEqualTo(free);
    }

    @Test
    void growsByWholeSlices() {
        Site site = new Site();
        site.fill(0, 3, 6, 9);
        Topology pairs =
                Topology.newBuilder().setSliceTasks(2).setSliceLevel("rack").build();
        assertThat(byIndex(site, site.place(gang(2, 10, 0, pairs)))).hasSize(8);
    }

    @Test
    void aSparePlaceLiesBesideTheTasks() {
        Site site = new Site();
        assertThat(byIndex(site, site.place(gang(2, 2, 1, inOneRack()))))
                .containsExactlyInAnyOrderEntriesOf(Map.of(0, "n00", 1, "n01", 2, "n02"));
    }

    @Test
    void eachSliceHasItsSpareInItsOwnDomain() {
        Site site = new Site();
        Topology pairs =
                Topology.newBuilder().setSliceTasks(2).setSliceLevel("rack").build();
        Map<Integer, String> nodes = byIndex(site, site.place(gang(4, 4, 1, pairs)));
        assertThat(nodes)
                .containsExactlyInAnyOrderEntriesOf(Map.of(0, "n00", 1, "n01", 4, "n02", 2, "n03", 3, "n04", 5, "n05"));
    }

    @Test
    void withoutRoomForSparesTheGangStartsWithoutThem() {
        Site site = new Site();
        assertThat(byIndex(site, site.place(gang(3, 3, 1, inOneRack())))).containsOnlyKeys(0, 1, 2);
    }

    @Test
    void joinsNearTheOthers() {
        Site site = new Site();
        site.fill(6, 7);
        assertThat(grow(site, List.of(1, 2, 3), Map.of(0, 6), ANYWHERE)).containsExactly("1@n08", "2@n09", "3@n10");
    }

    @Test
    void joinsOnlyInTheDomainThatItIsBoundTo() {
        Site site = new Site();
        site.fill(6, 7);
        assertThat(grow(site, List.of(1, 2, 3), Map.of(0, 6), inOneRack())).containsExactly("1@n08");
    }

    @Test
    void joinsWhereFewestAreWhenItIsSpread() {
        Site site = new Site();
        Topology spread =
                Topology.newBuilder().setSpread("rack").setMaxPerDomain(2).build();
        site.fill(0, 3);
        List<String> joined = grow(site, List.of(2, 3, 4, 5, 6, 7, 8), Map.of(0, 0, 1, 3), spread);
        assertThat(joined).hasSize(6);
        assertThat(joined.subList(0, 2)).containsExactly("2@n06", "3@n09");
    }

    @Test
    void aMissingTaskComesBackIntoItsSliceOrNotAtAll() {
        Site site = new Site();
        Topology pairs =
                Topology.newBuilder().setSliceTasks(2).setSliceLevel("rack").build();
        site.fill(0, 3, 4);
        assertThat(grow(site, List.of(1), Map.of(0, 0, 2, 3, 3, 4), pairs)).containsExactly("1@n01");
        site.fill(2);
        assertThat(grow(site, List.of(1), Map.of(0, 0, 2, 3, 3, 4), pairs)).isEmpty();
    }

    @Property(tries = 200)
    void anElasticGangGetsAsMuchAsAWholeOneOfThatSizeWould(
            @ForAll @IntRange(min = 0, max = 11) int filled,
            @ForAll @IntRange(min = 1, max = 6) int fewest,
            @ForAll @IntRange(min = 0, max = 8) int more) {
        Site site = new Site();
        site.fill(IntStream.range(0, filled).toArray());
        GangResult result = site.place(gang(fewest, fewest + more, 0, ANYWHERE));
        int fits = Math.min(fewest + more, 12 - filled);
        if (fits < fewest) {
            assertThat(result).isInstanceOf(GangResult.Waits.class);
        } else {
            assertThat(byIndex(site, result)).hasSize(fits);
        }
    }
}
