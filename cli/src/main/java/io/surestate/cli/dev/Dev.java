package io.surestate.cli.dev;

import io.surestate.api.Names;
import io.surestate.api.v1.ClusterGrpc;
import io.surestate.api.v1.GetStatusRequest;
import io.surestate.api.v1.GetStatusResponse;
import io.surestate.cli.CliContext;
import io.surestate.cli.CliException;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.local.Child;
import io.surestate.cli.local.FreePorts;
import io.surestate.cli.local.Installation;
import io.surestate.cli.local.LocalCluster;
import io.surestate.cli.local.NodePlace;
import io.surestate.cli.local.ServerPlace;
import io.surestate.cli.local.Shutdown;
import io.surestate.cli.local.Timing;
import io.surestate.cli.local.Until;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ssctl dev}: one server and one node in the foreground. */
@Command(
        description = "Run one server and one node here, until Ctrl-C.",
        footer = {
            "",
            "Examples:",
            "  ssctl dev",
            "  ssctl dev --data-dir ~/surestate-dev     keep jobs and history for the next time",
            "  ssctl dev --fake-nodes 1000x8            and a thousand simulated nodes of 8 GPUs each"
        })
public final class Dev implements Callable<Integer> {
    private static final int PORTS_USED = 3;
    private static final Duration READY_MAX = Duration.ofSeconds(60);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(2);
    private static final Duration LOOK = Duration.ofMillis(200);
    private static final String SERVER = "server";

    private final CliContext context;
    private final Connection connection;

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "Keep state here over restarts. Default: a temporary folder.")
    private String dataDir = "";

    @Option(
            names = "--fake-nodes",
            paramLabel = "NxD",
            description =
                    "Simulate N more nodes with D accelerators each. Their tasks run in imagination only: they write nothing and "
                            + "end by themselves after 30 s, or after FAKE_RUN_MILLIS in the job's environment.")
    private String fakeNodes = "";

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Port for clients; the next two are taken as well. Default: 7300.")
    private int port = 7300;

    public Dev(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        long begun = context.time().millis();
        Installation installation = Installation.find(context.environment());
        checkPorts();
        if (!fakeNodes.isEmpty() && !fakeNodes.matches("[1-9][0-9]{0,5}x[0-9]{1,4}")) {
            throw CliException.usage(Names.message("--fake-nodes", fakeNodes, "nodes x devices, such as 1000x8"));
        }
        boolean temporary = dataDir.isEmpty();
        Path folder = folder();
        ServerPlace server = new ServerPlace(SERVER, port, port + 1, port + 2, folder.resolve(SERVER));
        LocalCluster cluster = new LocalCluster(
                installation,
                new LocalCluster.Plan("dev", folder, List.of(server), nodes(folder), Timing.ordinary(), ""));
        Shutdown shutdown = new Shutdown(() -> {
            context.out().println("Stopping.");
            context.out().flush();
            cluster.close();
            if (temporary) {
                LocalCluster.removeFolder(folder);
            }
        });
        shutdown.onSignal(ExitCode.DONE, () -> {});
        try {
            cluster.start();
            announce(cluster, server, folder, begun);
            return stay(cluster, shutdown);
        } finally {
            shutdown.run();
        }
    }

    private void checkPorts() {
        for (int offset = 0; offset < PORTS_USED; offset++) {
            if (port < 1 || port + offset > 65_535 || !FreePorts.isFree(port + offset)) {
                throw CliException.usage("--port: " + (port + offset)
                        + " is in use or no port (expected: three free ports in a row, from the one given)");
            }
        }
    }

    private Path folder() {
        try {
            if (dataDir.isEmpty()) {
                return Files.createTempDirectory("surestate-dev-");
            }
            Path folder = Path.of(dataDir).toAbsolutePath();
            return Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<NodePlace> nodes(Path folder) {
        List<NodePlace> nodes = new ArrayList<>();
        // Before the simulated ones by name, so that tasks run for real while they fit.
        nodes.add(new NodePlace("dev", folder.resolve("node"), "", "", ""));
        if (!fakeNodes.isEmpty()) {
            nodes.add(new NodePlace("fake", folder.resolve("fake-nodes"), "", "", fakeNodes));
        }
        return nodes;
    }

    private void announce(LocalCluster cluster, ServerPlace server, Path folder, long begun) {
        Until until = new Until(context, () -> checkAlive(cluster));
        try (Session session = connection.open(List.of(server.endpoint()), ANSWER_MAX)) {
            until.found("a ready node", READY_MAX, () -> status(session).filter(seen -> seen.getNodesReady() > 0));
            String seconds = String.format(Locale.ROOT, "%.1f", (context.time().millis() - begun) / 1000.0);
            String asked = port == 7300 ? "ssctl" : "ssctl --server " + server.endpoint();
            context.out().println("Surestate is ready after " + seconds + " s: one server, one node.");
            context.out().println();
            context.out().println("  clients   " + server.endpoint());
            context.out().println("  metrics   http://127.0.0.1:" + server.httpPort() + "/metrics");
            context.out().println("  data      " + folder + (dataDir.isEmpty() ? " (removed at the end)" : ""));
            context.out().println("  logs      " + cluster.logs());
            context.out().println();
            String first = fakeNodes.isEmpty()
                    ? " job run --follow -- echo hello"
                    : " job run --count 4 --gpus 1 --wait -- true    (simulated tasks write nothing)";
            context.out().println("Try in another terminal:  " + asked + first);
            context.out().println("Ctrl-C stops everything.");
            context.out().flush();
            if (!fakeNodes.isEmpty()) {
                announceFakes(until, session);
            }
        }
    }

    private void announceFakes(Until until, Session session) {
        int wanted = Integer.parseInt(fakeNodes.substring(0, fakeNodes.indexOf('x'))) + 1;
        until.found(
                "the simulated nodes",
                READY_MAX.multipliedBy(2),
                () -> status(session).filter(seen -> seen.getNodesReady() >= wanted));
        context.out().println(wanted - 1 + " simulated nodes are ready.");
        context.out().flush();
    }

    private static Optional<GetStatusResponse> status(Session session) {
        return Optional.of(session.call(ClusterGrpc.getGetStatusMethod(), GetStatusRequest.getDefaultInstance()));
    }

    private int stay(LocalCluster cluster, Shutdown shutdown) {
        while (!shutdown.begun() && !Thread.currentThread().isInterrupted()) {
            Optional<Child> fallen = cluster.fallen(List.of());
            if (fallen.isPresent() && !shutdown.begun()) {
                throw ended(fallen.get());
            }
            context.pause().sleep(LOOK);
        }
        return ExitCode.DONE;
    }

    private static void checkAlive(LocalCluster cluster) {
        Optional<Child> fallen = cluster.fallen(List.of());
        if (fallen.isPresent()) {
            throw ended(fallen.get());
        }
    }

    private static CliException ended(Child fallen) {
        return CliException.refused(
                "ENDED: " + fallen.name() + " ended by itself; it said last:\n" + fallen.lastWords());
    }
}
