package io.surestate.testkit.sim;

import java.util.List;
import java.util.Random;

/** What goes wrong, and the elections that follow. One thread. */
final class Faults {
    private static final long ELECTION_POLL_MILLIS = 200;
    private static final long HEARTBEAT_MILLIS = 150;
    private static final int ELECTED_ONE_IN = 3;
    private static final int GIVES_UP_ONE_IN = 60;
    private static final int SHORT_MILLIS = 3_000;
    private static final int LONG_MILLIS = 25_000;
    private static final int SLOW_APPLY_MILLIS = 800;

    private final SimWorld world;
    private final Random random;
    private boolean over;

    Faults(SimWorld world) {
        this.world = world;
        this.random = world.random();
    }

    void begin() {
        elections();
        heartbeats();
        snapshots();
        next();
    }

    /** Everything works again; what is down comes back. */
    void end() {
        world.events().note("heal");
        over = true;
        world.network().heal();
        for (SimServer server : world.servers()) {
            server.slowDown(0);
            restart(server);
        }
        for (SimNode node : world.nodes()) {
            node.thaw();
            bringBack(node);
        }
    }

    private void next() {
        long mean = world.settings().faultEveryMillis();
        world.events().after(mean / 4 + random.nextInt((int) (mean * 3 / 2)), "", () -> {
            if (!over) {
                one();
                next();
            }
        });
    }

    private long someTime() {
        return 50L + random.nextInt(random.nextInt(3) == 0 ? LONG_MILLIS : SHORT_MILLIS);
    }

    private void later(Runnable work) {
        later(someTime(), work);
    }

    private void later(long millis, Runnable work) {
        world.events().after(millis, "", () -> {
            if (!over) {
                work.run();
            }
        });
    }

    private void one() {
        SimServer server = world.pick(world.servers());
        SimNode node = world.pick(world.nodes());
        switch (random.nextInt(13)) {
            case 0, 1 -> crash(server);
            case 2 -> changeLeader(server);
            case 3, 11 -> isolateLeader();
            case 4 -> cut(server.id(), world.pick(world.servers()).id());
            case 5 -> cut(server.id(), node.name());
            case 6 -> killAgent(node);
            case 7 -> powerCycle(node);
            case 8 -> freeze(node);
            case 9 -> slowDown(server);
            case 10 -> node.breakStream();
            default -> world.oracle().stepDown(server.id());
        }
    }

    private void crash(SimServer server) {
        if (server.runs()) {
            server.crash();
            world.nodes().forEach(node -> node.serverGone(server.id()));
            later(() -> restart(server));
        }
    }

    private void restart(SimServer server) {
        if (!server.runs()) {
            world.events().note("start " + server.id());
            server.start();
        }
    }

    private void changeLeader(SimServer server) {
        if (world.oracle().elect(server.id())) {
            world.events().note("elected " + server.id());
        }
    }

    /** From the other servers, and from half of the agents, often for longer than a lease: the others serve that half meanwhile. */
    private void isolateLeader() {
        long millis = world.settings().leaseMillis() + someTime();
        String leader =
                world.oracle().leader().orElse(world.pick(world.servers()).id());
        world.servers().stream()
                .map(SimServer::id)
                .filter(id -> !id.equals(leader))
                .forEach(other -> cut(leader, other, millis));
        world.nodes().stream().filter(node -> random.nextBoolean()).forEach(node -> cut(leader, node.name(), millis));
    }

    private void cut(String one, String other) {
        cut(one, other, someTime());
    }

    private void cut(String one, String other, long millis) {
        if (!one.equals(other)) {
            world.events().note("cut " + one + " " + other);
            world.network().cut(one, other);
            later(millis, () -> {
                world.events().note("join " + one + " " + other);
                world.network().join(one, other);
            });
        }
    }

    private void killAgent(SimNode node) {
        if (node.agentRuns()) {
            node.killAgent();
            later(() -> bringBack(node));
        }
    }

    private void powerCycle(SimNode node) {
        if (node.up()) {
            node.powerOff();
            later(() -> bringBack(node));
        }
    }

    private void bringBack(SimNode node) {
        if (!node.up()) {
            world.events().note("power-on " + node.name());
            node.powerOn();
        } else if (!node.agentRuns()) {
            world.events().note("start-agent " + node.name());
            node.startAgent();
        }
    }

    private void freeze(SimNode node) {
        if (node.agentRuns() && !node.frozen()) {
            node.freeze();
            later(node::thaw);
        }
    }

    private void slowDown(SimServer server) {
        world.events().note("slow " + server.id());
        server.slowDown(SLOW_APPLY_MILLIS);
        later(() -> server.slowDown(0));
    }

    private void snapshots() {
        long mean = world.settings().snapshotEveryMillis();
        world.events().after(mean / 2 + random.nextInt((int) mean), "", () -> {
            world.pick(world.servers()).snapshot();
            snapshots();
        });
    }

    private void heartbeats() {
        world.events().after(HEARTBEAT_MILLIS, "", () -> {
            world.oracle().heartbeat();
            heartbeats();
        });
    }

    /** A member that a majority can reach is elected where none leads; a leader without a majority gives up some time. */
    private void elections() {
        world.events().after(ELECTION_POLL_MILLIS, "", () -> {
            boolean led = world.oracle().leader().filter(this::reachesMajority).isPresent();
            if (!led && random.nextInt(ELECTED_ONE_IN) == 0) {
                changeLeader(world.pick(world.servers()));
            }
            for (SimServer server : world.servers()) {
                if (!reachesMajority(server.id()) && random.nextInt(GIVES_UP_ONE_IN) == 0) {
                    world.oracle().stepDown(server.id());
                }
            }
            elections();
        });
    }

    private boolean reachesMajority(String id) {
        List<SimServer> reached = world.servers().stream()
                .filter(SimServer::runs)
                .filter(other -> other.id().equals(id) || world.network().connected(id, other.id()))
                .toList();
        return reached.size() > world.servers().size() / 2;
    }
}
