package io.surestate.cli.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Servers and agents on this machine, each a process with a folder and a log of its own. After {@link #close} none of their processes
 * is left, keepers and tasks included. Safe between threads.
 */
public final class LocalCluster implements AutoCloseable {
    /** Less to compile makes for a quicker start, and nobody measures here. */
    private static final String QUICK_START = "-XX:TieredStopAtLevel=1";

    private final Installation installation;
    private final Plan plan;
    private final Map<String, Child> children = new LinkedHashMap<>();
    private boolean closed;

    /**
     * What the cluster is made of.
     *
     * @param clusterId equal on all servers and agents
     * @param folder for logs and checkpoints
     * @param machine name of this machine in the topology; empty = not shown
     */
    public record Plan(
            String clusterId,
            Path folder,
            List<ServerPlace> servers,
            List<NodePlace> nodes,
            Timing timing,
            String machine) {
        public Plan {
            servers = List.copyOf(servers);
            nodes = List.copyOf(nodes);
        }
    }

    public LocalCluster(Installation installation, Plan plan) {
        this.installation = installation;
        this.plan = plan;
    }

    /** Starts everything; nothing is ready yet. */
    public void start() {
        plan.servers().forEach(server -> startServer(server.id()));
        plan.nodes().forEach(this::startAgent);
    }

    /** Starts a server, for the first time or again after its end. */
    public synchronized void startServer(String id) {
        ServerPlace server = plan.servers().stream()
                .filter(place -> place.id().equals(id))
                .findFirst()
                .orElseThrow();
        boolean used = Files.isDirectory(server.data());
        Path config = write(
                server.folder().resolve("surestated.yaml"),
                ConfigTexts.server(plan.clusterId(), server, plan.servers(), plan.timing(), used));
        List<String> command =
                new ArrayList<>(List.of(installation.server().toString(), "--config", config.toString()));
        if (!used) {
            command.add("--bootstrap");
        }
        launch(id, command, Map.of("SURESTATED_HEAP", "256m", "SURESTATED_OPTS", QUICK_START));
    }

    private synchronized void startAgent(NodePlace node) {
        Path config = write(
                node.folder().resolve("surestate-agent.yaml"),
                ConfigTexts.agent(
                        plan.clusterId(), node, plan.servers(), plan.folder().resolve("checkpoints"), plan.machine()));
        String heap = node.fakeNodes().isEmpty() ? "64m" : "1g";
        launch(
                node.name(),
                List.of(installation.agent().toString(), "--config", config.toString()),
                Map.of("SURESTATE_AGENT_HEAP", heap, "SURESTATE_AGENT_OPTS", QUICK_START));
    }

    private void launch(String name, List<String> command, Map<String, String> environment) {
        if (closed) {
            throw new IllegalStateException("cluster: closed (expected: open)");
        }
        Path log = logs().resolve(name + ".log");
        makeFolder(logs());
        children.put(name, Child.start(name, command, environment, log));
    }

    public Path logs() {
        return plan.folder().resolve("logs");
    }

    public synchronized Child child(String name) {
        return Optional.ofNullable(children.get(name)).orElseThrow();
    }

    /** Process ids of what runs now, by name. */
    public synchronized Map<String, Long> pids() {
        Map<String, Long> pids = new LinkedHashMap<>();
        children.values().stream().filter(Child::isAlive).forEach(child -> pids.put(child.name(), child.pid()));
        return pids;
    }

    /** A process that ended although nobody killed it; none once the cluster is being closed. */
    public synchronized Optional<Child> fallen(List<String> killed) {
        if (closed) {
            return Optional.empty();
        }
        return children.values().stream()
                .filter(child -> !child.isAlive() && !killed.contains(child.name()))
                .findFirst();
    }

    /** {@code kill -9} of a whole node: its agent first, then keeper and tasks. */
    public void killNode(String name) {
        child(name).kill();
        plan.nodes().stream().filter(node -> node.name().equals(name)).forEach(LocalCluster::sweep);
    }

    private static void sweep(NodePlace node) {
        if (node.fakeNodes().isEmpty()) {
            new NodeProcesses(node.data()).kill();
        }
    }

    /** Stops agents, then what they ran, then servers. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        stop(plan.nodes().stream().map(NodePlace::name).toList());
        plan.nodes().forEach(LocalCluster::sweep);
        stop(plan.servers().stream().map(ServerPlace::id).toList());
    }

    private void stop(List<String> names) {
        List<Child> stopped = names.stream()
                .flatMap(name -> Stream.ofNullable(children.get(name)))
                .toList();
        stopped.forEach(Child::signal);
        stopped.forEach(Child::await);
    }

    private static Path write(Path file, String text) {
        try {
            Files.createDirectories(Optional.ofNullable(file.getParent()).orElseThrow());
            return Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void makeFolder(Path folder) {
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Removes a folder and what is in it. */
    public static void removeFolder(Path folder) {
        try (Stream<Path> found = Files.walk(folder)) {
            List<Path> paths = new ArrayList<>(found.toList());
            Collections.reverse(paths);
            for (Path path : paths) {
                Files.deleteIfExists(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
