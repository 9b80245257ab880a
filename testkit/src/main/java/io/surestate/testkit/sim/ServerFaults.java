package io.surestate.testkit.sim;

import java.util.List;
import java.util.Random;

/** What goes wrong with servers and between them. One thread. */
final class ServerFaults {
    private static final int SLOW_APPLY_MILLIS = 800;
    private static final int LOOP_HELD_MILLIS_MIN = 1_000;
    private static final long WALL_JUMP_MILLIS = 3_600_000;

    private final SimWorld world;
    private final Faults faults;
    private final Random random;

    ServerFaults(SimWorld world, Faults faults) {
        this.world = world;
        this.faults = faults;
        this.random = world.random();
    }

    /** One of each, as often as it is listed. */
    List<Runnable> kinds() {
        return List.of(
                () -> crash(any()),
                () -> crash(any()),
                this::crashAll,
                () -> faults.elect(any()),
                this::isolateLeader,
                this::isolateLeader,
                this::deafenLeader,
                () -> cut(any().id(), any().id(), random.nextBoolean()),
                () -> freeze(any(), faults.someTime()),
                () -> freeze(leader(), world.settings().leaseMillis() + faults.someTime()),
                () -> slowDown(any()),
                this::holdUpLeaderLoop,
                () -> stallDisk(any()),
                () -> stallDisk(leader()),
                () -> jumpWall(any()),
                () -> crashInTheMiddle(any()),
                () -> crashInTheMiddle(any()),
                () -> stepDown(any()));
    }

    /** Another one leads at once, and machines' wall clocks are set forward or back. */
    List<Runnable> leaderChanges() {
        return List.of(() -> faults.elect(any()), () -> faults.elect(any()), () -> jumpWall(any()));
    }

    private SimServer any() {
        return world.pick(world.servers());
    }

    private SimServer leader() {
        return world.oracle().leader().flatMap(world::server).orElseGet(this::any);
    }

    void crash(SimServer server) {
        if (server.runs()) {
            server.crash();
            world.machines().forEach(node -> node.serverGone(server.id()));
            faults.later(() -> restart(server));
        }
    }

    /** Power is off everywhere. */
    private void crashAll() {
        if (random.nextInt(3) == 0) {
            world.events().note("crash-all");
            world.servers().forEach(this::crash);
        }
    }

    void restart(SimServer server) {
        if (!server.runs()) {
            world.events().note("start " + server.id());
            server.start();
        }
    }

    private void crashInTheMiddle(SimServer server) {
        if (server.runs()) {
            server.arm(world.pick(List.of(SimLogConsumer.Step.values())), () -> crash(server));
            // Who was away for a while is likely to have an install to crash in.
            freeze(server, faults.someTime());
        }
    }

    private void stepDown(SimServer server) {
        if (!server.frozen()) {
            world.oracle().stepDown(server.id());
        }
    }

    private void freeze(SimServer server, long millis) {
        if (server.runs() && !server.frozen()) {
            server.freeze();
            faults.later(millis, server::thaw);
        }
    }

    private void slowDown(SimServer server) {
        world.events().note("slow " + server.id());
        server.slowDown(SLOW_APPLY_MILLIS);
        faults.later(() -> server.slowDown(0));
    }

    /** Its log may lose the lead and get it again before its leader loop hears of anything. */
    private void holdUpLeaderLoop() {
        SimServer leader = leader();
        leader.holdUpLoop(LOOP_HELD_MILLIS_MIN + random.nextInt(2 * LOOP_HELD_MILLIS_MIN));
        if (random.nextBoolean()) {
            faults.later(random.nextInt(LOOP_HELD_MILLIS_MIN), () -> faults.elect(leader));
        }
    }

    /** Its disk takes seconds for what takes milliseconds, and in the end the server crashes, mostly. */
    private void stallDisk(SimServer server) {
        world.events().note("stall-disk " + server.id());
        world.disk().stall(server.id());
        faults.later(() -> {
            if (random.nextInt(3) > 0) {
                crash(server);
            }
            world.disk().unstall(server.id());
        });
    }

    private void jumpWall(SimServer server) {
        long millis = random.nextBoolean() ? WALL_JUMP_MILLIS : -WALL_JUMP_MILLIS;
        world.events().note("wall-jump " + server.id() + " " + millis);
        server.jumpWall(millis);
    }

    /** From the other servers, and from half of the agents, often for longer than a lease: the others serve that half meanwhile. */
    private void isolateLeader() {
        long millis = world.settings().leaseMillis() + faults.someTime();
        String leader = leader().id();
        others(leader).forEach(other -> faults.cut(leader, other, millis));
        world.nodes().stream().filter(node -> random.nextBoolean()).forEach(node -> {
            faults.cut(leader, node.name(), millis);
        });
    }

    /** The others hear it and it does not hear them, or the other way round. */
    private void deafenLeader() {
        long millis = faults.someTime();
        String leader = leader().id();
        boolean deaf = random.nextBoolean();
        others(leader).forEach(other -> faults.cutOneWay(deaf ? other : leader, deaf ? leader : other, millis));
    }

    private List<String> others(String id) {
        return world.servers().stream()
                .map(SimServer::id)
                .filter(other -> !other.equals(id))
                .toList();
    }

    private void cut(String one, String other, boolean bothWays) {
        if (one.equals(other)) {
            return;
        }
        if (bothWays) {
            faults.cut(one, other, faults.someTime());
        } else {
            faults.cutOneWay(one, other, faults.someTime());
        }
    }
}
