package io.surestate.cli.archive;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import io.surestate.cli.CliContext;
import io.surestate.cli.Ssctl;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.logging.LogManager;

/**
 * Uses the classes that ordinary commands need, against a server of its own that answers nothing much, so that the virtual machine can
 * put them into a class-data archive when this ends.
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

    private ArchiveMain() {}

    public static void main(String[] args) throws IOException {
        LogManager.getLogManager().reset();
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
                length -> {},
                Thread::new,
                new SecureRandom());
    }
}
