package io.surestate.cli.local;

import io.surestate.client.Endpoint;
import java.nio.file.Path;

/**
 * Where one server of a local cluster lives.
 *
 * @param folder of this server alone
 */
public record ServerPlace(String id, int clientPort, int peerPort, int httpPort, Path folder) {
    static final String HOST = "127.0.0.1";

    public Endpoint endpoint() {
        return new Endpoint(HOST, clientPort);
    }

    Path data() {
        return folder.resolve("data");
    }
}
