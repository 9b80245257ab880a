package io.surestate.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.surestate.api.v1.ListTelemetryRequest;
import io.surestate.api.v1.ListTelemetryResponse;
import io.surestate.api.v1.NodeTelemetry;
import io.surestate.api.v1.NodesGrpc;
import io.surestate.api.v1.PageRequest;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What agents of another process tell is shown by whichever server is asked. */
class TelemetryWireTest {
    private static final Duration CALL = Duration.ofSeconds(30);
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    @Test
    void everyServerTellsHowNodesAreDoing() throws IOException, InterruptedException {
        ClusterLayout layout = ClusterLayout.of(folder, 3);
        try (ProcessCluster cluster = ProcessCluster.start(layout)) {
            cluster.startFakeNodes("fake", "5x8");
            for (int server = 0; server < layout.size(); server++) {
                try (Api api = new Api(List.of(layout.endpoint(server)))) {
                    await().atMost(PATIENCE)
                            .ignoreExceptions()
                            .until(() -> list(api).size() == 5);
                    assertThat(list(api))
                            .allSatisfy(node ->
                                    assertThat(node.getMean().getDevicesCount()).isEqualTo(8));
                    assertThat(api.client()
                                    .call(
                                            NodesGrpc.getListTelemetryMethod(),
                                            ListTelemetryRequest.newBuilder()
                                                    .setName("fake-00003")
                                                    .build(),
                                            CALL)
                                    .getNodesList())
                            .extracting(NodeTelemetry::getNode)
                            .containsExactly("fake-00003");
                }
            }
            List<String> pages = new ArrayList<>();
            for (String http : layout.http()) {
                pages.add(get("http://" + http + "/metrics/nodes"));
            }
            assertThat(pages)
                    .filteredOn(page -> page.contains("surestate_node_load_ratio{node=\"fake-00003\"}"))
                    .hasSize(1);
        }
    }

    private static List<NodeTelemetry> list(Api api) {
        List<NodeTelemetry> nodes = new ArrayList<>();
        String token = "";
        do {
            ListTelemetryResponse page = api.client()
                    .call(
                            NodesGrpc.getListTelemetryMethod(),
                            ListTelemetryRequest.newBuilder()
                                    .setPage(PageRequest.newBuilder().setSize(2).setToken(token))
                                    .build(),
                            CALL);
            nodes.addAll(page.getNodesList());
            token = page.getPage().getNextPageToken();
        } while (!token.isEmpty());
        return nodes;
    }

    private static String get(String address) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(URI.create(address)).build(), HttpResponse.BodyHandlers.ofString())
                .body();
    }
}
