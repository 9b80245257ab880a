package io.surestate.cli.local;

import io.surestate.manifest.Quantity;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Configuration files of local servers and agents. */
final class ConfigTexts {
    private ConfigTexts() {}

    static String server(String clusterId, ServerPlace self, List<ServerPlace> servers, Timing timing, boolean used) {
        StringBuilder text = new StringBuilder();
        line(text, "clusterId", clusterId);
        line(text, "serverId", self.id());
        text.append("servers:\n");
        for (ServerPlace server : servers) {
            text.append("  - {id: ")
                    .append(server.id())
                    .append(", peer: ")
                    .append(quoted(ServerPlace.HOST + ":" + server.peerPort()))
                    .append(", client: ")
                    .append(quoted(server.endpoint().toString()))
                    .append("}\n");
        }
        line(text, "dataDir", self.data().toString());
        text.append("initialized: ").append(used).append('\n');
        line(text, "http", ServerPlace.HOST + ":" + self.httpPort());
        line(text, "electionTimeout", written(timing.electionTimeout()));
        line(text, "lease", written(timing.lease()));
        line(text, "leaseMargin", written(timing.leaseMargin()));
        line(text, "heartbeat", written(timing.heartbeat()));
        return text.toString();
    }

    static String agent(String clusterId, NodePlace node, List<ServerPlace> servers, Path checkpoints, String machine) {
        StringBuilder text = new StringBuilder();
        line(text, "clusterId", clusterId);
        line(text, "nodeName", node.name());
        text.append("servers: [")
                .append(String.join(
                        ", ",
                        servers.stream()
                                .map(server -> quoted(server.endpoint().toString()))
                                .toList()))
                .append("]\n");
        line(text, "dataDir", node.data().toString());
        line(text, "checkpointDir", checkpoints.toString());
        if (!node.fakeNodes().isEmpty()) {
            line(text, "fakeNodes", node.fakeNodes());
            return text.toString();
        }
        if (!machine.isEmpty()) {
            text.append("domains: [{level: machine, name: ")
                    .append(quoted(machine))
                    .append("}]\n");
        }
        text.append("resources: {cores: ")
                .append(quoted(node.cores()))
                .append(", memory: ")
                .append(quoted(node.memory()))
                .append("}\n");
        return text.toString();
    }

    private static String written(Duration duration) {
        return Quantity.formatDuration(duration.toMillis());
    }

    private static void line(StringBuilder text, String key, String value) {
        text.append(key).append(": ").append(quoted(value)).append('\n');
    }

    private static String quoted(String value) {
        return "\"" + value.replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }
}
