package io.surestate.testkit.sim;

import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Settings;
import io.surestate.log.v1.InitCluster;
import io.surestate.server.ServerCore;
import io.surestate.server.api.Refused;
import io.surestate.server.apply.ApplyListeners;
import io.surestate.server.apply.StateHome;
import io.surestate.server.log.ReplicatedLog;
import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.StateEngine;
import io.surestate.statemachine.StateView;
import io.surestate.statemachine.store.InMemoryStateStore;
import io.surestate.testkit.log.OracleLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** One server: a real core whose threads are events. A crash drops the core; its log and snapshots stay. One thread. */
final class SimServer {
    private static final long POLL_MILLIS = 50;
    private static final long WALL_MILLIS = 1_700_000_000_000L;
    private static final int BACKLOG_MAX = 500;

    private final String id;
    private final SimWorld world;
    private final Path folder;
    private Optional<Running> running = Optional.empty();
    private int lives;
    private int snapshots;
    private int slowApplyMillis;

    /** One life of the process. */
    private static final class Running {
        private final ServerCore core;
        private final SimLoop loop;
        private final int life;
        private boolean drainScheduled;

        Running(ServerCore core, SimLoop loop, int life) {
            this.core = core;
            this.loop = loop;
            this.life = life;
        }
    }

    SimServer(String id, SimWorld world, Path folder) {
        this.id = id;
        this.world = world;
        this.folder = folder;
        try {
            Files.createDirectories(folder);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    String id() {
        return id;
    }

    boolean runs() {
        return running.isPresent();
    }

    Optional<ServerCore> core() {
        return running.map(life -> life.core);
    }

    /** Counts starts; what was asked of an earlier life is never answered. */
    int life() {
        return lives;
    }

    /** Runs on the leader loop of this life. */
    void onLoop(Runnable work) {
        running.ifPresent(life -> life.loop.execute(work));
    }

    void start() {
        lives++;
        SimLoop loop = new SimLoop(world.events(), world.random());
        ServerCore core = new ServerCore(
                environment(loop),
                consumer -> world.oracle()
                        .open(
                                id,
                                new SimLogConsumer(
                                        consumer,
                                        this::handed,
                                        () -> world.events().note("install " + id))));
        Running life = new Running(core, loop, lives);
        running = Optional.of(life);
        ((OracleLog) core.log()).start();
        poll(life);
    }

    private ServerCore.Environment environment(SimLoop loop) {
        long skewNanos = lives * 7_919L * 1_000_000L;
        return new ServerCore.Environment(
                id,
                InitCluster.newBuilder()
                        .setClusterId(SimWorld.CLUSTER)
                        .setHistoryId("history")
                        .setSettings(Settings.newBuilder()
                                .setLeaseMillis(world.settings().leaseMillis())
                                .setLeaseMarginMillis(world.leaseMarginMillis())
                                .setHeartbeatMillis(world.settings().heartbeatMillis()))
                        .build(),
                () -> WALL_MILLIS + world.events().nowMillis(),
                () -> world.events().nowMillis() * 1_000_000L + skewNanos,
                loop,
                this::open,
                seen(),
                this::notLeader,
                this::failed);
    }

    private StateEngine open(Optional<Path> snapshot) {
        if (world.settings().onDisk()) {
            return new StateHome(folder.resolve("state")).open(snapshot);
        }
        return StateEngine.open(snapshot.map(InMemoryStateStore::open).orElseGet(InMemoryStateStore::new));
    }

    private ApplyListeners seen() {
        return new ApplyListeners() {
            @Override
            public void applied(List<AppliedEntry> entries) {
                world.invariants().applied(id, entries);
            }

            @Override
            public void restored(StateView view) {
                world.invariants().restored(id, view);
            }
        };
    }

    private Refused notLeader(ReplicatedLog log) {
        return notLeader(log.leadership().leaderId().orElse(""));
    }

    /** As the process refuses; the hint is a server's id instead of its address. */
    Refused notLeader(String hint) {
        return new Refused(Refused.detail(ErrorCode.ERROR_CODE_NOT_LEADER, "server: " + id)
                .setLeaderHint(hint)
                .build());
    }

    private void failed(Throwable cause) {
        world.invariants().broken("server " + id + " cannot go on", cause);
    }

    /** Something waits to be applied; before the queue is full it is applied at once. */
    private void handed() {
        Running life = running.orElseThrow();
        if (life.core.applyLoop().backlog() > BACKLOG_MAX) {
            drain(life);
        } else if (!life.drainScheduled) {
            life.drainScheduled = true;
            int delay = world.random().nextInt(3)
                    + (slowApplyMillis == 0 ? 0 : world.random().nextInt(slowApplyMillis));
            world.events().after(delay, "", () -> {
                life.drainScheduled = false;
                if (isNow(life)) {
                    drain(life);
                }
            });
        }
    }

    private void drain(Running life) {
        life.core.applyLoop().drain();
        world.invariants().drained(id, life.core);
        life.loop.execute(life.core::poll);
    }

    private boolean isNow(Running life) {
        return running.filter(now -> now == life).isPresent();
    }

    private void poll(Running life) {
        world.events().after(POLL_MILLIS, "", () -> {
            if (isNow(life)) {
                life.core.poll();
                poll(life);
            }
        });
    }

    void crash() {
        running.ifPresent(life -> {
            world.events().note("crash " + id + " in life " + life.life);
            life.loop.end();
            world.oracle().crash(id);
            life.core.applyLoop().suspend();
            running = Optional.empty();
        });
    }

    void snapshot() {
        if (runs()) {
            boolean taken = world.oracle().snapshot(id, folder.resolve("snapshot-" + ++snapshots));
            world.events().note("snapshot " + id + " " + taken);
        }
    }

    /** From now on applying takes up to that long; 0 = as usual. */
    void slowDown(int millis) {
        slowApplyMillis = millis;
    }
}
