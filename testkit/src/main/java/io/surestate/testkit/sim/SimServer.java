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
    /** Short, so that devices come back within a run. */
    private static final long HOLD_DOWN_MILLIS = 5_000;

    private static final long WALL_MILLIS = 1_700_000_000_000L;
    private static final int BACKLOG_MAX = 500;

    private final String id;
    private final SimWorld world;
    private final Path folder;
    private final SimClock monotonic;
    private Optional<Running> running = Optional.empty();
    private int lives;
    private int snapshots;
    private int slowApplyMillis;
    private long wallOffsetMillis;
    private Optional<Armed> armed = Optional.empty();

    /** A crash that is to come in the middle of something. */
    private record Armed(SimLogConsumer.Step step, Runnable crash) {}

    /** One life of the process. */
    private static final class Running {
        private final ServerCore core;
        private final SimLoop loop;
        private final int life;
        private boolean drainScheduled;
        private boolean pollWaits;

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
        this.monotonic = world.clock();
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

    /** What it has applied. */
    long revision() {
        return core().map(now -> now.applyLoop().views().newest().revision()).orElse(0L);
    }

    /** The term in which it leads; 0 = it does not. */
    long leadingTerm() {
        return core().filter(now -> now.log().leadership().leading())
                .map(now -> now.log().currentTerm())
                .orElse(0L);
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
        SimLoop loop = new SimLoop(id, world.network(), world.events(), world.random());
        ServerCore core = new ServerCore(
                environment(loop),
                consumer -> world.oracle().open(id, new SimLogConsumer(consumer, this::handed, this::step)));
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
                                .setHoldDownMillis(HOLD_DOWN_MILLIS)
                                .setHeartbeatMillis(world.settings().heartbeatMillis()))
                        .build(),
                () -> WALL_MILLIS + wallOffsetMillis + world.events().nowMillis(),
                () -> monotonic.countedNanos(world.events().nowMillis()) + skewNanos,
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
            later(delay, life, () -> {
                life.drainScheduled = false;
                drain(life);
            });
        }
    }

    private void drain(Running life) {
        life.core.applyLoop().drain();
        world.invariants().drained(id, life.core);
        pollSoon(life);
    }

    private static void pollSoon(Running life) {
        if (!life.pollWaits) {
            life.pollWaits = true;
            life.loop.execute(() -> {
                life.pollWaits = false;
                life.core.poll();
            });
        }
    }

    private boolean isNow(Running life) {
        return running.filter(now -> now == life).isPresent();
    }

    private void poll(Running life) {
        later(POLL_MILLIS, life, () -> {
            pollSoon(life);
            poll(life);
        });
    }

    /** Runs in this life of the process, once it is not frozen. */
    private void later(long millis, Running life, Runnable work) {
        world.events()
                .after(
                        millis,
                        "",
                        () -> world.network().at(id, () -> {
                            if (isNow(life)) {
                                work.run();
                            }
                        }));
    }

    private void step(SimLogConsumer.Step step) {
        if (step == SimLogConsumer.Step.INSTALL_BEGUN) {
            world.events().note("install " + id);
        }
        armed.filter(trap -> runs() && trap.step == step).ifPresent(trap -> {
            world.events().note("crash-at-" + step + " " + id);
            trap.crash.run();
        });
    }

    /** The next step of that kind ends this life; {@code crash} does it. */
    void arm(SimLogConsumer.Step step, Runnable crash) {
        armed = Optional.of(new Armed(step, crash));
    }

    /** No crash is to come any more. */
    void disarm() {
        armed = Optional.empty();
    }

    /** The process does nothing until it is thawed; its clocks go on. */
    void freeze() {
        world.events().note("freeze-server " + id);
        world.network().freeze(id);
    }

    void thaw() {
        if (frozen()) {
            world.events().note("thaw-server " + id);
            world.network().thaw(id);
        }
    }

    /** The leader loop does nothing for that long; log and apply go on. */
    void holdUpLoop(long millis) {
        world.events().note("hold-up-loop " + id);
        running.ifPresent(life -> life.loop.hold(world.events().nowMillis() + millis));
    }

    boolean frozen() {
        return world.network().frozen(id);
    }

    /** Puts the wall clock forward, or back. */
    void jumpWall(long millis) {
        wallOffsetMillis += millis;
    }

    void crash() {
        running.ifPresent(life -> {
            world.events().note("crash " + id + " in life " + life.life);
            life.loop.end();
            armed = Optional.empty();
            world.network().forget(id);
            world.oracle().crash(id);
            life.core.applyLoop().suspend();
            running = Optional.empty();
        });
    }

    void snapshot() {
        if (runs() && !frozen()) {
            boolean taken = world.oracle().snapshot(id, folder.resolve("snapshot-" + ++snapshots));
            world.events().note("snapshot " + id + " " + taken);
        }
    }

    /** From now on applying takes up to that long; 0 = as usual. */
    void slowDown(int millis) {
        slowApplyMillis = millis;
    }

    /** For people who look for what went wrong. */
    String describe() {
        return world.oracle().describe(id)
                + (runs() ? " applied " + revision() : " down")
                + (frozen() ? " frozen" : "");
    }
}
