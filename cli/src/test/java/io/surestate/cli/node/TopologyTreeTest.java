package io.surestate.cli.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeUsage;
import java.util.List;
import org.junit.jupiter.api.Test;

class TopologyTreeTest {
    private static String tree(long millicores, int devices) {
        NodeUsage usage = NodeUsage.newBuilder()
                .setCpuMillicoresTotal(millicores)
                .setDevicesTotal(devices)
                .build();
        Node node = Node.newBuilder().setName("a").build();
        return TopologyTree.of(List.of(new NodeLists.Entry(node, usage))).show();
    }

    @Test
    void countsOneInTheSingular() {
        assertThat(tree(1_000, 1)).contains("  1 core  ").endsWith("  1 device\n");
        assertThat(tree(2_000, 2)).contains("  2 cores  ").endsWith("  2 devices\n");
    }
}
