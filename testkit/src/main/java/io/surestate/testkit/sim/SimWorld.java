package io.surestate.testkit.sim;

import io.surestate.testkit.log.LogOracle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Everything that exists in one simulation, and where each part finds the others. One thread. */
final class SimWorld {
    static final String CLUSTER = "simulated";
    private static final long LEASE_MARGIN_MILLIS = 500;

    private final SimSettings settings;
    private final Random random;
    private final EventQueue events;
    private final SimNetwork network;
    private final SimDisk disk;
    private final LogOracle oracle;
    private final SimInvariants invariants;
    private final SimTasks tasks;
    private final List<SimServer> servers = new ArrayList<>();
    private final List<SimNode> nodes = new ArrayList<>();
    private final List<SimNode> copies = new ArrayList<>();
    private final List<SimClient> clients = new ArrayList<>();
    private final List<SimScheduler> schedulers = new ArrayList<>();
    private final List<SimWatcher> watchers = new ArrayList<>();
    private final SimOperator operator;
    private final Faults faults;

    SimWorld(SimSettings settings, Path folder) {
        this.settings = settings;
        random = new Random(settings.seed());
        events = new EventQueue(random);
        network = new SimNetwork(events, random, settings);
        disk = new SimDisk(events, random, network);
        List<String> ids = IntStream.rangeClosed(1, settings.servers())
                .mapToObj(i -> "s" + i)
                .toList();
        oracle = new LogOracle(ids, network, disk, settings.entriesKept());
        invariants = new SimInvariants(this);
        tasks = new SimTasks(this);
        ids.forEach(id -> servers.add(new SimServer(id, this, folder.resolve(id))));
        for (int i = 1; i <= settings.agents(); i++) {
            nodes.add(new SimNode("n" + i, "n" + i, this));
            if (settings.copies()) {
                copies.add(new SimNode("n" + i, "n" + i + "-copy", this));
            }
        }
        faults = new Faults(this);
        client("client");
        operator = new SimOperator(this, client("operator"), faults);
        for (int i = 1; i <= settings.schedulers(); i++) {
            schedulers.add(new SimScheduler(this, client("scheduler" + i), faults));
        }
        for (int i = 1; i <= settings.watchers(); i++) {
            watchers.add(new SimWatcher("watcher" + i, this));
        }
    }

    private SimClient client(String name) {
        SimClient client = new SimClient(name, this);
        clients.add(client);
        return client;
    }

    SimSettings settings() {
        return settings;
    }

    long leaseMarginMillis() {
        return LEASE_MARGIN_MILLIS;
    }

    Random random() {
        return random;
    }

    EventQueue events() {
        return events;
    }

    SimNetwork network() {
        return network;
    }

    SimDisk disk() {
        return disk;
    }

    LogOracle oracle() {
        return oracle;
    }

    SimInvariants invariants() {
        return invariants;
    }

    List<SimServer> servers() {
        return servers;
    }

    Optional<SimServer> server(String id) {
        return servers.stream().filter(server -> server.id().equals(id)).findFirst();
    }

    List<SimNode> nodes() {
        return nodes;
    }

    /** Machines with a copied disk, most of them off. */
    List<SimNode> copies() {
        return copies;
    }

    Optional<SimNode> copyOf(SimNode node) {
        return copies.stream().filter(copy -> copy.name().equals(node.name())).findFirst();
    }

    /** Nodes and copies. */
    List<SimNode> machines() {
        return Stream.concat(nodes.stream(), copies.stream()).toList();
    }

    /** What holds between ledger, leases and machines. */
    SimTasks tasks() {
        return tasks;
    }

    /** Clocks of one machine. */
    SimClock clock() {
        int most = settings.clockPartsPerMillion();
        return new SimClock(random.nextInt(2 * most + 1) - most);
    }

    /** Who submits and cancels. */
    SimClient client() {
        return clients.get(0);
    }

    /** Everybody who sends requests. */
    List<SimClient> clients() {
        return clients;
    }

    List<SimScheduler> schedulers() {
        return schedulers;
    }

    List<SimWatcher> watchers() {
        return watchers;
    }

    SimOperator operator() {
        return operator;
    }

    Faults faults() {
        return faults;
    }

    <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }
}
