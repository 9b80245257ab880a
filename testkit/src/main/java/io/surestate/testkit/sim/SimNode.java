package io.surestate.testkit.sim;

import io.surestate.agent.core.AgentCore;
import io.surestate.agent.core.AgentIdentity;
import io.surestate.agent.core.NodePicture;
import io.surestate.agent.driver.KnownTask;
import io.surestate.agent.driver.TaskStates;
import io.surestate.agent.keeper.GuardedTask;
import io.surestate.api.v1.DesiredTask;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * A machine: its tasks and keeper live as long as one boot, its agent may come and go meanwhile. Agent and keeper can be frozen by
 * themselves; a machine that is frozen whole is asleep, and its wake-up takes a moment in which what must die may still run. One thread.
 */
final class SimNode {
    private static final long BOOT_MILLIS_FIRST = 10_000;
    /** How long a machine that was asleep may take to kill what outlived its lease. */
    private static final long WAKE_MILLIS = 2L * SimKeeper.ROUND_MILLIS;

    private final String name;
    private final String machine;
    private final SimWorld world;
    private final SimClock clock;
    private final SimHardware hardware;
    private Optional<Boot> boot = Optional.empty();
    private Optional<SimAgent> agent = Optional.empty();
    private int boots;
    private int agents;
    private boolean asleep;
    private long awakeSinceMillis = -WAKE_MILLIS;

    private static final class Boot {
        private final int number;
        private final long sinceMillis;
        private final SimDriver driver;
        private final SimKeeper keeper;
        private long grantedUntilMillis;

        Boot(int number, long sinceMillis, SimDriver driver, SimKeeper keeper) {
            this.number = number;
            this.sinceMillis = sinceMillis;
            this.driver = driver;
            this.keeper = keeper;
        }
    }

    /** @param machine differs from the name where the disk is a copy of another machine's */
    SimNode(String name, String machine, SimWorld world) {
        this.name = name;
        this.machine = machine;
        this.world = world;
        this.clock = world.clock();
        this.hardware = new SimHardware(
                name, world.settings().coresPerAgent(), world.settings().devicesPerAgent());
    }

    String name() {
        return name;
    }

    String machine() {
        return machine;
    }

    SimHardware hardware() {
        return hardware;
    }

    boolean up() {
        return boot.isPresent();
    }

    boolean agentRuns() {
        return agent.isPresent();
    }

    boolean asleep() {
        return asleep;
    }

    boolean serving() {
        return agent.filter(life -> life.core().serving()).isPresent();
    }

    /** Agent and keeper are there and awake: either of them may fail now without the other's having failed. */
    boolean sound() {
        return !asleep
                && agent.filter(life -> !life.frozen()).isPresent()
                && boot.filter(now -> now.keeper.guards()).isPresent();
    }

    boolean hasBoot(String bootId) {
        return boot.filter(now -> bootId(now).equals(bootId)).isPresent();
    }

    private String bootId(Boot now) {
        return "boot-" + machine + "-" + now.number;
    }

    int random(int bound) {
        return world.random().nextInt(bound);
    }

    void powerOn() {
        boots++;
        SimDriver driver = new SimDriver(world, new SimDriver.Seen() {
            @Override
            public void started(DesiredTask task) {
                world.tasks().started(SimNode.this, task);
            }

            @Override
            public void ended(String allocationId) {
                world.tasks().ended(allocationId);
            }
        });
        boot = Optional.of(new Boot(boots, world.events().nowMillis(), driver, new SimKeeper(this, boots)));
        startAgent();
    }

    /** Every task is dead in this moment. */
    void powerOff() {
        world.events().note("power-off " + machine);
        killAgent();
        boot.ifPresent(now -> now.driver.endAll());
        boot = Optional.empty();
        asleep = false;
    }

    void startAgent() {
        Boot now = boot.orElseThrow();
        agents++;
        AgentIdentity identity = new AgentIdentity(
                SimWorld.CLUSTER, name, "id-" + name, bootId(now), "agent-" + machine + "-" + agents, "0");
        NodePicture picture = NodePicture.of(hardware.spec());
        long firstOpenMillis = bootMillis() + random(500);
        agent = Optional.of(new SimAgent(
                this,
                world,
                link -> new AgentCore(
                        identity,
                        new AgentCore.Parts(
                                link,
                                now.driver,
                                now.keeper,
                                request -> {},
                                () -> picture,
                                Optional::empty,
                                new Random(world.random().nextLong())),
                        firstOpenMillis)));
    }

    /** The agent's process is gone; its tasks go on. */
    void killAgent() {
        agent.ifPresent(life -> {
            world.events().note("kill-agent " + machine);
            life.end();
        });
        agent = Optional.empty();
    }

    void freezeAgent() {
        world.events().note("freeze-agent " + machine);
        agent.ifPresent(SimAgent::freeze);
    }

    void thawAgent() {
        agent.filter(SimAgent::frozen).ifPresent(life -> {
            world.events().note("thaw-agent " + machine);
            life.thaw();
        });
    }

    void killKeeper() {
        world.events().note("kill-keeper " + machine);
        boot.orElseThrow().keeper.kill();
    }

    void freezeKeeper() {
        world.events().note("freeze-keeper " + machine);
        boot.orElseThrow().keeper.freeze();
    }

    void thawKeeper() {
        boot.ifPresent(now -> now.keeper.wake());
    }

    /** Nothing runs on the machine any more, not even its tasks; its clocks go on. */
    void fallAsleep() {
        world.events().note("freeze-machine " + machine);
        asleep = true;
    }

    void wakeUp() {
        if (asleep) {
            world.events().note("thaw-machine " + machine);
            asleep = false;
            awakeSinceMillis = world.events().nowMillis();
            boot.ifPresent(now -> now.keeper.wake());
            agent.ifPresent(SimAgent::wake);
        }
    }

    /** Asleep, or just waking up: the one time at which what lost its lease may still be there. */
    boolean drowsy() {
        return asleep || world.events().nowMillis() - awakeSinceMillis <= WAKE_MILLIS;
    }

    /** The server of a stream is gone; the agent hears of it soon. */
    void serverGone(String server) {
        agent.ifPresent(life -> life.link().serverGone(server));
    }

    /** Breaks the agent's stream on the way. */
    void breakStream() {
        agent.ifPresent(life -> life.link().breakStream());
    }

    /** A server said that the lease goes on until then, on the boot clock. */
    void granted(long untilMillis) {
        boot.ifPresent(now -> now.grantedUntilMillis = Math.max(now.grantedUntilMillis, untilMillis));
    }

    /** By how much the end of the lease lies in the past; negative = still to come. */
    long leaseOverMillis() {
        return boot.map(now -> bootMillis() - now.grantedUntilMillis).orElse(Long.MAX_VALUE);
    }

    /** Time since this boot began, on a clock that does not start at 0. */
    long bootMillis() {
        return clock.countedMillis(world.events().nowMillis() - boot.orElseThrow().sinceMillis) + BOOT_MILLIS_FIRST;
    }

    /** Runs at a moment of the boot clock, if this boot lasts until then. */
    void atBootMillis(long millis, int bootNumber, Runnable work) {
        world.events().after(clock.trueMillis(millis - bootMillis()), "", () -> {
            if (boot.filter(now -> now.number == bootNumber).isPresent()) {
                work.run();
            }
        });
    }

    void kill(List<GuardedTask> tasks) {
        SimDriver driver = boot.orElseThrow().driver;
        tasks.forEach(task -> driver.fence(task.allocationId()));
        driver.poll(bootMillis());
        world.events().note("keeper-kill " + machine + " " + tasks.size());
    }

    /** What really runs. */
    List<KnownTask> alive() {
        return boot.map(now -> now.driver.tasks().stream()
                        .filter(task -> !task.ended())
                        .toList())
                .orElse(List.of());
    }

    /** Whether something runs that the end of the lease must have ended. */
    boolean outlivesLease() {
        return alive().stream().anyMatch(task -> TaskStates.stopsAtLeaseEnd(task.desired()));
    }

    /** For people who look for what went wrong. */
    String describe() {
        return machine
                + boot.map(now -> " boot " + now.number + " at " + bootMillis() + " granted until "
                                + now.grantedUntilMillis + " tasks "
                                + now.driver.tasks().stream()
                                        .map(task -> task.allocationId() + " "
                                                + task.report().getState() + "#"
                                                + task.report().getTask().getAttempt())
                                        .toList())
                        .orElse(" off")
                + (asleep ? " asleep" : "")
                + agent.map(life -> " agent " + agents + (life.core().serving() ? " serving" : " not serving")
                                + (life.frozen() ? " frozen" : "") + " lease until "
                                + life.core().leaseDeadlineMillis())
                        .orElse(" no agent");
    }
}
