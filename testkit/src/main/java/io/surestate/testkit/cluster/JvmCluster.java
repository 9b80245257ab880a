package io.surestate.testkit.cluster;

import io.surestate.daemon.ServiceManager;
import io.surestate.server.ServerAssembly;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Real servers in one JVM. Faults that a process would die of are collected and fail the test at {@link #close}. One thread. */
public final class JvmCluster implements AutoCloseable {
    private final ClusterLayout layout;
    private final List<@Nullable ServerAssembly> servers = new ArrayList<>();
    private final List<Throwable> faults = new CopyOnWriteArrayList<>();

    private JvmCluster(ClusterLayout layout) {
        this.layout = layout;
    }

    /** All servers of a new cluster. */
    public static JvmCluster start(ClusterLayout layout) {
        JvmCluster cluster = new JvmCluster(layout);
        for (int i = 0; i < layout.size(); i++) {
            cluster.servers.add(cluster.open(i, true));
        }
        return cluster;
    }

    private ServerAssembly open(int server, boolean bootstrap) {
        ServerAssembly assembly = new ServerAssembly(layout.config(server), bootstrap, faults::add);
        assembly.start(ServiceManager.ofThisProcess());
        return assembly;
    }

    public void stop(int server) {
        ServerAssembly running = servers.get(server);
        if (running != null) {
            running.close();
            servers.set(server, null);
        }
    }

    /** On the data folder that it used before. */
    public void restart(int server) {
        stop(server);
        servers.set(server, open(server, false));
    }

    public ServerAssembly server(int server) {
        return Optional.ofNullable(servers.get(server)).orElseThrow();
    }

    public ClusterLayout layout() {
        return layout;
    }

    /** Number of the server whose duties run, if one leads. */
    public Optional<Integer> leader() {
        for (int i = 0; i < servers.size(); i++) {
            ServerAssembly running = servers.get(i);
            if (running != null && running.log().leadership().ready()) {
                return Optional.of(i);
            }
        }
        return Optional.empty();
    }

    @Override
    public void close() {
        for (int i = 0; i < servers.size(); i++) {
            stop(i);
        }
        if (!faults.isEmpty()) {
            throw new AssertionError("a server could not go on: " + faults.get(0), faults.get(0));
        }
    }
}
