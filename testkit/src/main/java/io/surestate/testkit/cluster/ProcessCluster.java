package io.surestate.testkit.cluster;

import io.surestate.client.Endpoint;
import io.surestate.manifest.config.ConfigFile;
import io.surestate.server.ServerConfig;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Servers and agents as processes of their own, on the test's class path, to be killed without warning. Whatever happens, {@link #close}
 * leaves none of them and none of their tasks. One thread.
 */
public final class ProcessCluster implements AutoCloseable {
    /** Small and quick to start; what measures more than that says so. */
    private static final String JVM_FLAGS =
            System.getProperty("surestate.jvmFlags", "-Xmx256m -XX:+UseSerialGC -XX:TieredStopAtLevel=1");

    private static final long END_SECONDS_MAX = 20;

    private final ClusterLayout layout;
    private final Map<String, Process> processes = new LinkedHashMap<>();
    private final Map<String, String> agentConfigs = new LinkedHashMap<>();

    private ProcessCluster(ClusterLayout layout) {
        this.layout = layout;
    }

    /** All servers of a new cluster, started together. */
    public static ProcessCluster start(ClusterLayout layout) {
        ProcessCluster cluster = new ProcessCluster(layout);
        for (int server = 0; server < layout.size(); server++) {
            cluster.startServer(server, true);
        }
        return cluster;
    }

    public ClusterLayout layout() {
        return layout;
    }

    private void startServer(int server, boolean bootstrap) {
        ServerConfig config = layout.config(server);
        List<String> arguments =
                new ArrayList<>(List.of("--config", write(config.serverId(), ConfigFile.write(config))));
        if (bootstrap) {
            arguments.add("--bootstrap");
        }
        start(config.serverId(), "io.surestate.server.ServerMain", arguments);
    }

    /** On the data folder that it used before. */
    public void restartServer(int server) {
        startServer(server, false);
    }

    /** SIGKILL. */
    public void killServer(int server) {
        kill("s" + (server + 1));
    }

    /** SIGSTOP: alive, but does nothing until {@link #thawServer}. */
    public void freezeServer(int server) {
        signal("STOP", "s" + (server + 1));
    }

    /** SIGCONT. */
    public void thawServer(int server) {
        signal("CONT", "s" + (server + 1));
    }

    /** SIGSTOP of the agent alone: its tasks and its keeper go on. */
    public void freezeAgent(String name) {
        signal("STOP", name);
    }

    public void thawAgent(String name) {
        signal("CONT", name);
    }

    private void signal(String signal, String name) {
        Process process = processes.get(name);
        if (process == null) {
            throw new IllegalStateException(name + ": not running");
        }
        try {
            await(new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start());
        } catch (IOException cannotSignal) {
            throw new UncheckedIOException(cannotSignal);
        }
    }

    /** SIGTERM; answers with the exit code. */
    public int stopServer(int server) {
        return terminate("s" + (server + 1));
    }

    /** An agent that offers these cores, such as "0-1", and memory, such as "1Gi". */
    public void startAgent(String name, String cores, String memory) {
        startAgent(name, cores, memory, layout.endpoints());
    }

    /** An agent that looks for the makers' tools in a folder of the test's. */
    public void startAgentWithTools(String name, Path tools) {
        configureAgent(name, "0", "64Mi", layout.endpoints());
        agentConfigs.computeIfPresent(
                name, (same, config) -> config + "discovery: {programPath: \"" + tools + ":/usr/bin:/bin\"}\n");
        restartAgent(name);
    }

    /** As {@link #startAgent(String, String, String)}, with servers to be found at other addresses. */
    public void startAgent(String name, String cores, String memory, List<Endpoint> endpoints) {
        configureAgent(name, cores, memory, endpoints);
        restartAgent(name);
    }

    /** That many agents, as {@link #startAgent(String, String, String)} each, named {@code name-0} on, all in one process. */
    public void startAgents(String name, int count, String cores, String memory) {
        List<String> arguments = new ArrayList<>();
        for (int number = 0; number < count; number++) {
            String agent = name + "-" + number;
            configureAgent(agent, cores, memory, layout.endpoints());
            arguments.addAll(List.of("--config", write(agent, String.valueOf(agentConfigs.get(agent)))));
        }
        start(name, "io.surestate.agent.AgentMain", arguments);
    }

    private void configureAgent(String name, String cores, String memory, List<Endpoint> endpoints) {
        String servers =
                endpoints.stream().map(endpoint -> "\"" + endpoint + "\"").collect(Collectors.joining(", "));
        agentConfigs.put(name, """
                clusterId: %s
                nodeName: %s
                servers: [%s]
                dataDir: %s
                checkpointDir: %s
                resources: {cores: "%s", memory: %s}
                stopGrace: 1s
                """.formatted(
                        ClusterLayout.CLUSTER_ID,
                        name,
                        servers,
                        agentFolder(name),
                        layout.folder().resolve("checkpoints"),
                        cores,
                        memory));
    }

    /** An agent that simulates nodes, such as "4x8": four nodes of eight devices each. */
    public void startFakeNodes(String name, String count) {
        String servers = layout.endpoints().stream()
                .map(endpoint -> "\"" + endpoint + "\"")
                .collect(Collectors.joining(", "));
        agentConfigs.put(name, """
                clusterId: %s
                servers: [%s]
                dataDir: %s
                fakeNodes: %s
                """.formatted(ClusterLayout.CLUSTER_ID, servers, agentFolder(name), count));
        restartAgent(name);
    }

    public void restartAgent(String name) {
        String config = write(name, String.valueOf(agentConfigs.get(name)));
        start(name, "io.surestate.agent.AgentMain", List.of("--config", config));
    }

    /** SIGKILL of the agent alone: its tasks and its keeper live on. */
    public void killAgent(String name) {
        kill(name);
    }

    /** SIGTERM; answers with the exit code. */
    public int stopAgent(String name) {
        return terminate(name);
    }

    /** Everything of a node at once: agent, keeper and tasks. */
    public void killNode(String name) {
        kill(name);
        NodeProcesses.killAll(agentFolder(name));
    }

    /** Of a server, {@code s1} on, or an agent by its name; it must run. */
    public ProcessHandle process(String name) {
        Process process = processes.get(name);
        if (process == null) {
            throw new IllegalStateException(name + ": not running");
        }
        return process.toHandle();
    }

    public Path agentFolder(String name) {
        return layout.folder().resolve("agent-" + name);
    }

    public Path log(String process) {
        return layout.folder().resolve(process + ".log");
    }

    private String write(String name, String yaml) {
        Path file = layout.folder().resolve(name + ".yaml");
        try {
            Files.createDirectories(layout.folder());
            Files.writeString(file, yaml, StandardCharsets.UTF_8);
        } catch (IOException cannotWrite) {
            throw new UncheckedIOException(cannotWrite);
        }
        return file.toString();
    }

    private void start(String name, String mainClass, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(JVM_FLAGS.split(" ", -1)));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log(name).toFile()));
        try {
            processes.put(name, builder.start());
        } catch (IOException cannotStart) {
            throw new UncheckedIOException(cannotStart);
        }
    }

    private void kill(String name) {
        Process process = processes.remove(name);
        if (process != null) {
            process.destroyForcibly();
            await(process);
        }
    }

    private int terminate(String name) {
        Process process = processes.remove(name);
        if (process == null) {
            throw new IllegalStateException(name + ": not running");
        }
        process.destroy();
        return await(process);
    }

    private static int await(Process process) {
        try {
            if (!process.waitFor(END_SECONDS_MAX, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("process " + process.pid() + " did not end");
            }
            return process.exitValue();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(hurried);
        }
    }

    /** What every process wrote, for a failing test. */
    public String logs() {
        try (Stream<Path> files = Files.list(layout.folder())) {
            StringBuilder all = new StringBuilder();
            for (Path file : files.filter(path -> path.toString().endsWith(".log"))
                    .sorted()
                    .toList()) {
                all.append("== ").append(file.getFileName()).append('\n').append(Files.readString(file));
            }
            return all.toString();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    @Override
    public void close() {
        for (String name : List.copyOf(processes.keySet())) {
            kill(name);
        }
        agentConfigs.keySet().forEach(name -> NodeProcesses.killAll(agentFolder(name)));
    }
}
