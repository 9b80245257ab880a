package io.surestate.scheduler.gang;

import static io.surestate.scheduler.gang.Site.gpus;
import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.Topology;
import java.util.List;
import org.junit.jupiter.api.Test;

class ArrangementTest {
    private static final Topology ANYWHERE = Topology.getDefaultInstance();

    private static List<String> nodes(Site site, int count, int devices, Arrangement arrangement) {
        return site.nodes(site.place(
                new GangAsk(List.of(new GroupAsk("w", gpus(devices), count, ANYWHERE)), ANYWHERE, arrangement)));
    }

    @Test
    void apartMeansOneInEachRackBeforeASecondOne() {
        assertThat(nodes(new Site(), 4, 1, Arrangement.APART)).containsExactly("n00", "n03", "n06", "n09");
        Site site = new Site();
        site.fill(0, 1, 2);
        assertThat(nodes(site, 4, 8, Arrangement.APART)).containsExactly("n03", "n04", "n06", "n09");
    }

    @Test
    void nearMeansOneNodeWhereThereIsRoom() {
        assertThat(nodes(new Site(), 4, 2, Arrangement.NEAR)).containsOnly("n00");
    }
}
