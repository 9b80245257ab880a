package io.surestate.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.NodeState;
import io.surestate.api.v1.NodesGrpc;
import io.surestate.api.v1.PlanNodeRequest;
import io.surestate.api.v1.PlanNodeResponse;
import io.surestate.api.v1.RemoveNodeRequest;
import io.surestate.api.v1.RequestHeader;
import io.surestate.client.SurestateException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Planned nodes as a client in another process meets them. */
class PlannedNodesWireTest {
    private static final Duration CALL = Duration.ofSeconds(30);
    private static final NodeSpec SPEC =
            NodeSpec.newBuilder().setMemoryBytes(1 << 20).build();

    @TempDir
    private Path folder;

    private ProcessCluster cluster;
    private Api api;

    @BeforeEach
    void start() {
        ClusterLayout layout = ClusterLayout.of(folder, 1);
        cluster = ProcessCluster.start(layout);
        api = Api.of(layout);
    }

    @AfterEach
    void stop() {
        api.close();
        cluster.close();
    }

    private static RequestHeader header(String id) {
        return RequestHeader.newBuilder().setRequestId(id).build();
    }

    private PlanNodeResponse plan(String id, String name, NodeSpec spec) {
        return api.client()
                .call(
                        NodesGrpc.getPlanNodeMethod(),
                        PlanNodeRequest.newBuilder()
                                .setHeader(header(id))
                                .setName(name)
                                .setSpec(spec)
                                .build(),
                        CALL);
    }

    private void remove(String id, String name) {
        api.client()
                .call(
                        NodesGrpc.getRemoveNodeMethod(),
                        RemoveNodeRequest.newBuilder()
                                .setHeader(header(id))
                                .setName(name)
                                .build(),
                        CALL);
    }

    private List<String> nodes() {
        return api.nodes().getNodesList().stream()
                .map(node -> node.getName() + " " + node.getStatus().getState())
                .toList();
    }

    @Test
    void areListedAndForgottenAndGiveWayToAgents() {
        await().atMost(Duration.ofMinutes(2))
                .ignoreExceptions()
                .until(() -> plan("p1", "rack-1", SPEC).hasNode());
        plan("p2", "fake-0", SPEC);
        assertThat(nodes()).containsExactly("fake-0 NODE_STATE_PLANNED", "rack-1 NODE_STATE_PLANNED");

        SurestateException refused = catchThrowableOfType(
                SurestateException.class,
                () -> plan(
                        "p3", "rack-2", NodeSpec.newBuilder().setMemoryBytes(-1).build()));
        assertThat(refused.code()).isEqualTo(ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
        assertThat(refused.getMessage()).contains("spec.memory: \"-1\"");

        remove("r1", "rack-1");
        assertThat(nodes()).containsExactly("fake-0 NODE_STATE_PLANNED");

        cluster.startFakeNodes("fake", "1x8");
        await().atMost(Duration.ofMinutes(2))
                .until(() -> api.nodes().getNodesList().stream()
                        .map(Node::getStatus)
                        .anyMatch(status -> status.getState() == NodeState.NODE_STATE_READY));
    }
}
