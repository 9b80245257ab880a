package io.surestate.testkit.sim;

import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/** When what goes wrong, and the elections that follow. One thread. */
final class Faults {
    private static final long ELECTION_POLL_MILLIS = 200;
    private static final long HEARTBEAT_MILLIS = 150;
    private static final int ELECTED_ONE_IN = 3;
    private static final int GIVES_UP_ONE_IN = 60;
    private static final int SHORT_MILLIS = 3_000;
    private static final int LONG_MILLIS = 25_000;

    private final SimWorld world;
    private final Random random;
    private final ServerFaults servers;
    private final NodeFaults nodes;
    private final List<Runnable> kinds;
    private boolean over;
    private long overSinceMillis;

    Faults(SimWorld world) {
        this.world = world;
        this.random = world.random();
        this.servers = new ServerFaults(world, this);
        this.nodes = new NodeFaults(world, this);
        this.kinds = world.settings().electionsOnly()
                ? servers.leaderChanges()
                : Stream.concat(servers.kinds().stream(), nodes.kinds().stream())
                        .toList();
    }

    void begin() {
        elections();
        heartbeats();
        snapshots();
        next();
    }

    /** Everything works again; what is down comes back, what should not be there goes. */
    void end() {
        world.events().note("heal");
        over = true;
        overSinceMillis = world.events().nowMillis();
        world.network().heal();
        for (SimServer server : world.servers()) {
            server.disarm();
            world.disk().unstall(server.id());
            server.slowDown(0);
            server.thaw();
            servers.restart(server);
        }
        for (SimNode node : world.nodes()) {
            node.wakeUp();
            node.thawKeeper();
            node.thawAgent();
            nodes.mendHardware(node);
            nodes.bringBack(node);
        }
        world.copies().stream().filter(SimNode::up).forEach(SimNode::powerOff);
    }

    /** Nothing goes wrong any more. */
    boolean over() {
        return over;
    }

    /** For how long nothing has gone wrong on purpose; that another server leads is nothing wrong. */
    long quietMillis() {
        if (world.settings().electionsOnly()) {
            return world.events().nowMillis();
        }
        return over ? world.events().nowMillis() - overSinceMillis : 0;
    }

    void bringBack(SimNode node) {
        nodes.bringBack(node);
    }

    private void next() {
        long mean = world.settings().faultEveryMillis();
        world.events().after(mean / 4 + random.nextInt((int) (mean * 3 / 2)), "", () -> {
            if (!over) {
                world.pick(kinds).run();
                next();
            }
        });
    }

    long someTime() {
        return 50L + random.nextInt(random.nextInt(3) == 0 ? LONG_MILLIS : SHORT_MILLIS);
    }

    void later(Runnable work) {
        later(someTime(), work);
    }

    /** Unless everything was mended before. */
    void later(long millis, Runnable work) {
        world.events().after(millis, "", () -> {
            if (!over) {
                work.run();
            }
        });
    }

    /** Both ways, for a while. */
    void cut(String one, String other, long millis) {
        world.events().note("cut " + one + " " + other);
        cutWay(one, other, millis);
        cutWay(other, one, millis);
    }

    void cutOneWay(String from, String to, long millis) {
        world.events().note("cut-one-way " + from + " " + to);
        cutWay(from, to, millis);
    }

    private void cutWay(String from, String to, long millis) {
        world.network().cut(from, to);
        later(millis, () -> world.network().join(from, to));
    }

    void elect(SimServer server) {
        if (!server.frozen() && world.oracle().elect(server.id())) {
            world.events().note("elected " + server.id());
        }
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
                elect(world.pick(world.servers()));
            }
            for (SimServer server : world.servers()) {
                if (!server.frozen() && !reachesMajority(server.id()) && random.nextInt(GIVES_UP_ONE_IN) == 0) {
                    world.oracle().stepDown(server.id());
                }
            }
            elections();
        });
    }

    private boolean reachesMajority(String id) {
        List<SimServer> reached = world.servers().stream()
                .filter(SimServer::runs)
                .filter(other -> world.network().connected(id, other.id()))
                .toList();
        return reached.size() > world.servers().size() / 2;
    }
}
