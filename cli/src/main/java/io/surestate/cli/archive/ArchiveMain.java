package io.surestate.cli.archive;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.surestate.cli.CliContext;
import io.surestate.cli.Ssctl;
import io.surestate.cli.local.FreePorts;
import io.surestate.cli.local.Installation;
import io.surestate.cli.local.LocalCluster;
import io.surestate.cli.local.NodePlace;
import io.surestate.cli.local.ServerPlace;
import io.surestate.cli.local.Timing;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.logging.LogManager;

/**
 * Uses the classes that programs need at their start, so that each one's virtual machine can put them into a class-data archive when it
 * ends: server and agent as a small real cluster, ordinary commands against a server in this process that knows one of everything.
 */
public final class ArchiveMain {
    private static final List<List<String>> COMMANDS = List.of(
            List.of("version"),
            List.of("job", "list", "--all"),
            List.of("job", "list", "--all", "-o", "json"),
            List.of("job", "list", "--all", "-o", "yaml"),
            List.of("job", "get", "sample"),
            List.of("job", "events", "sample"),
            List.of("job", "submit", "-f", "-"),
            List.of("job", "run", "--", "true"),
            List.of("node", "list"),
            List.of("status"),
            List.of("job", "cancel", "nobody"),
            List.of("job", "--help"),
            List.of("nothing"));

    private static final String[] WARM_UP = {"job", "run", "--wait", "--timeout", "20s", "--", "true"};
    private static final int READY_LOOKS = 3;
    private static final Duration LOOK = Duration.ofSeconds(1);

    private ArchiveMain() {}

    /** Takes the installed folder and an empty folder to work in. */
    public static void main(String[] args) throws IOException {
        LogManager.getLogManager().reset();
        runCluster(new Installation(Path.of(args[0])), Path.of(args[1]));
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(new SampleJobs())
                .addService(new SampleNodes())
                .addService(new SampleCluster())
                .build()
                .start();
        for (List<String> command : COMMANDS) {
            new Ssctl(context("127.0.0.1:" + server.getPort())).run(command.toArray(String[]::new));
        }
        server.shutdownNow();
        System.exit(0);
    }

    /** Until a job has run; closing waits for the archives. */
    private static void runCluster(Installation installation, Path folder) {
        List<Integer> ports = FreePorts.take(3);
        ServerPlace server = new ServerPlace("a", ports.get(0), ports.get(1), ports.get(2), folder.resolve("a"));
        NodePlace node = new NodePlace("b", folder.resolve("b"), "", "", "");
        LocalCluster.Plan plan =
                new LocalCluster.Plan("archive", folder, List.of(server), List.of(node), Timing.ordinary(), "");
        try (LocalCluster cluster = new LocalCluster(installation, plan)) {
            cluster.start();
            CliContext context = context(server.endpoint().toString());
            for (int i = 0; i < READY_LOOKS && new Ssctl(context).run(WARM_UP) != 0; i++) {
                context.pause().sleep(LOOK);
            }
        }
    }

    private static CliContext context(String server) {
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        byte[] job = "name: sample\ngroups:\n  - {name: a, count: 1, command: [\"true\"], resources: {cpu: 1}}\n"
                .getBytes(StandardCharsets.UTF_8);
        return new CliContext(
                new ByteArrayInputStream(job),
                nowhere,
                nowhere,
                Map.of("SSCTL_SERVER", server),
                Path.of("/nonexistent"),
                InstantSource.system(),
                CliContext.Pause.sleeping(),
                Thread::new,
                false,
                () -> false,
                new SecureRandom());
    }
}
