package io.surestate.cli.quickstart;

import io.surestate.cli.CliContext;
import io.surestate.cli.CliException;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.local.FreePorts;
import io.surestate.cli.local.Installation;
import io.surestate.cli.local.LocalCluster;
import io.surestate.cli.local.Machine;
import io.surestate.cli.local.NodePlace;
import io.surestate.cli.local.ServerPlace;
import io.surestate.cli.local.Shutdown;
import io.surestate.cli.local.Timing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ssctl quickstart}: three servers, two nodes, one job, and what they survive. */
@Command(
        description =
                "Start a whole cluster here, run a job on it, kill its leader and a node, and see the job succeed.",
        footer = {
            "",
            "Examples:",
            "  ssctl quickstart",
            "  ssctl quickstart --keep     leave the cluster running afterwards"
        })
public final class Quickstart implements Callable<Integer> {
    private static final int SERVERS = 3;
    private static final int NODES = 2;
    private static final int PORTS_PER_SERVER = 3;

    private final CliContext context;
    private final Connection connection;

    @Option(names = "--keep", description = "Leave the cluster up and print its endpoints.")
    private boolean keep;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Empty folder for everything; stays. Default: a temporary one, removed after success.")
    private String dir = "";

    public Quickstart(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        Installation installation = Installation.find(context.environment());
        Path folder = folder();
        LocalCluster.Plan plan = plan(folder, Machine.look(Path.of("/proc")));
        LocalCluster cluster = new LocalCluster(installation, plan);
        Shutdown shutdown = new Shutdown(cluster::close);
        Narrator narrator = new Narrator(context.out(), context.time());
        shutdown.onSignal(ExitCode.REFUSED, () -> {
            narrator.tell("interrupted; everything is stopped");
            removeTemporary(folder);
        });
        try {
            new Story(context, connection, cluster, plan, narrator).run();
            if (keep) {
                shutdown.forget();
                tellKept(cluster, plan, folder);
                return ExitCode.DONE;
            }
            shutdown.run();
            narrator.tell("everything stopped; all of it went as told");
            removeTemporary(folder);
            return ExitCode.DONE;
        } catch (CliException notAsTold) {
            throw new CliException(
                    notAsTold.exitCode(),
                    notAsTold.getMessage() + "\nLogs and data: " + folder + " (logs in " + cluster.logs() + ")");
        } finally {
            shutdown.run();
        }
    }

    private void removeTemporary(Path folder) {
        if (dir.isEmpty()) {
            LocalCluster.removeFolder(folder);
        }
    }

    private Path folder() {
        try {
            if (dir.isEmpty()) {
                return Files.createTempDirectory("surestate-quickstart-");
            }
            Path folder = Files.createDirectories(Path.of(dir).toAbsolutePath());
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
                if (entries.iterator().hasNext()) {
                    throw CliException.usage("--dir: " + folder + " is not empty (expected: an empty or new folder)");
                }
            }
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static LocalCluster.Plan plan(Path folder, Machine machine) {
        List<Integer> ports = FreePorts.take(SERVERS * PORTS_PER_SERVER);
        List<ServerPlace> servers = new ArrayList<>();
        for (int i = 0; i < SERVERS; i++) {
            String id = "server-" + (i + 1);
            int first = i * PORTS_PER_SERVER;
            servers.add(new ServerPlace(
                    id, ports.get(first), ports.get(first + 1), ports.get(first + 2), folder.resolve(id)));
        }
        List<NodePlace> nodes = new ArrayList<>();
        for (int i = 0; i < NODES; i++) {
            String name = "node-" + (i + 1);
            nodes.add(new NodePlace(name, folder.resolve(name), machine.coreHalf(i), machine.memoryHalf(), ""));
        }
        return new LocalCluster.Plan("quickstart", folder, servers, nodes, Timing.quick(), machine.name());
    }

    private void tellKept(LocalCluster cluster, LocalCluster.Plan plan, Path folder) {
        String endpoints = String.join(
                ",",
                plan.servers().stream()
                        .map(server -> server.endpoint().toString())
                        .toList());
        String pids = String.join(
                " ", cluster.pids().values().stream().map(String::valueOf).toList());
        context.out().println();
        context.out().println("The cluster stays up.");
        context.out().println("  clients   " + endpoints);
        plan.servers()
                .forEach(server -> context.out()
                        .println(String.format(
                                Locale.ROOT,
                                "  metrics   http://127.0.0.1:%d/metrics (%s)",
                                server.httpPort(),
                                server.id())));
        context.out().println("  data      " + folder);
        context.out().println("Use it:     export SSCTL_SERVER=" + endpoints);
        context.out().println("Stop it:    kill " + pids);
        context.out().flush();
    }
}
