package io.surestate.cli.quickstart;

import io.surestate.api.v1.ClusterGrpc;
import io.surestate.api.v1.GetDigestRequest;
import io.surestate.api.v1.GetDigestResponse;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.local.ServerPlace;
import io.surestate.cli.local.Until;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Asks each server, and no other in its place, for the digest of its state. One thread. */
final class Digests {
    private static final Duration CATCH_UP_MAX = Duration.ofSeconds(30);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(2);

    private final Connection connection;
    private final List<ServerPlace> servers;
    private final Until until;

    /** What one server says. */
    record Line(String server, long revision, String digest) {}

    Digests(Connection connection, List<ServerPlace> servers, Until until) {
        this.connection = connection;
        this.servers = List.copyOf(servers);
        this.until = until;
    }

    /** One line for each server, all of the newest revision that the furthest has reached now; the others get time to follow. */
    List<Line> atCommonRevision() {
        long revision = servers.stream().mapToLong(this::newest).max().orElseThrow();
        List<Line> lines = new ArrayList<>();
        for (ServerPlace server : servers) {
            lines.add(until.found(
                    server.id() + " at revision " + revision, CATCH_UP_MAX, () -> digest(server, revision)));
        }
        return lines;
    }

    private long newest(ServerPlace server) {
        return until.found(
                        "the digest of " + server.id(),
                        CATCH_UP_MAX,
                        () -> Optional.of(ask(server, 0).getDigest()))
                .getRevision();
    }

    private Optional<Line> digest(ServerPlace server, long revision) {
        if (ask(server, 0).getDigest().getRevision() < revision) {
            return Optional.empty();
        }
        String digest = ask(server, revision).getDigest().getDigest();
        return Optional.of(new Line(server.id(), revision, digest));
    }

    private GetDigestResponse ask(ServerPlace server, long revision) {
        try (Session session = connection.open(List.of(server.endpoint()), ANSWER_MAX)) {
            GetDigestRequest request =
                    GetDigestRequest.newBuilder().setRevision(revision).build();
            return session.call(ClusterGrpc.getGetDigestMethod(), request);
        }
    }
}
