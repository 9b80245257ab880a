package io.surestate.testkit.sim;

import io.surestate.agent.core.AgentCore;
import io.surestate.agent.core.AgentIdentity;
import io.surestate.agent.driver.KnownTask;
import io.surestate.agent.fake.SimulatedDriver;
import io.surestate.agent.keeper.GuardedTask;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.NumaNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;

/**
 * A machine: its tasks and keeper live as long as one boot, its agent may come and go meanwhile. A frozen agent does nothing and hears
 * later what it was told. One thread.
 */
final class SimNode {
    private static final long POLL_MILLIS = 100;
    private static final long BOOT_MILLIS_FIRST = 10_000;
    private static final long MEMORY_BYTES = 64L << 30;

    private final String name;
    private final SimWorld world;
    private Optional<Boot> boot = Optional.empty();
    private Optional<AgentLife> agent = Optional.empty();
    private int boots;
    private int agents;
    private boolean frozen;
    private final List<Runnable> held = new ArrayList<>();

    private record Boot(int number, long sinceMillis, SimulatedDriver driver, SimKeeper keeper) {}

    private record AgentLife(int number, AgentCore core, SimAgentLink link) {}

    SimNode(String name, SimWorld world) {
        this.name = name;
        this.world = world;
    }

    String name() {
        return name;
    }

    boolean up() {
        return boot.isPresent();
    }

    boolean agentRuns() {
        return agent.isPresent();
    }

    boolean frozen() {
        return frozen;
    }

    void powerOn() {
        boots++;
        boot = Optional.of(new Boot(
                boots,
                world.events().nowMillis(),
                new SimulatedDriver(new SimTaskScript(world)),
                new SimKeeper(this, boots)));
        startAgent();
    }

    /** Every task is dead in this moment. */
    void powerOff() {
        world.events().note("power-off " + name);
        killAgent();
        boot = Optional.empty();
    }

    void startAgent() {
        Boot now = boot.orElseThrow();
        agents++;
        SimAgentLink link = new SimAgentLink(this, agents, world);
        AgentIdentity identity = new AgentIdentity(
                SimWorld.CLUSTER,
                name,
                "id-" + name,
                "boot-" + name + "-" + now.number,
                "agent-" + agents,
                "0",
                spec());
        AgentCore core = new AgentCore(
                identity,
                new AgentCore.Parts(
                        link,
                        now.driver,
                        now.keeper,
                        request -> {},
                        new Random(world.random().nextLong())),
                bootMillis() + world.random().nextInt(500));
        AgentLife life = new AgentLife(agents, core, link);
        agent = Optional.of(life);
        poll(life);
    }

    private NodeSpec spec() {
        return NodeSpec.newBuilder()
                .setHostname(name)
                .setMemoryBytes(MEMORY_BYTES)
                .addNuma(NumaNode.newBuilder()
                        .addAllCoreIds(IntStream.range(0, world.settings().coresPerAgent())
                                .boxed()
                                .toList())
                        .setMemoryBytes(MEMORY_BYTES))
                .build();
    }

    /** The agent's process is gone; its tasks go on. */
    void killAgent() {
        agent.ifPresent(life -> {
            world.events().note("kill-agent " + name);
            life.link.processGone();
        });
        agent = Optional.empty();
        frozen = false;
        held.clear();
    }

    void freeze() {
        world.events().note("freeze " + name);
        frozen = true;
    }

    void thaw() {
        if (frozen) {
            world.events().note("thaw " + name);
            frozen = false;
            List<Runnable> late = List.copyOf(held);
            held.clear();
            late.forEach(Runnable::run);
        }
    }

    private void poll(AgentLife life) {
        world.events().after(POLL_MILLIS, "", () -> {
            if (isNow(life.number)) {
                if (!frozen) {
                    life.core.poll(bootMillis());
                    world.invariants().tasksMoved();
                }
                poll(life);
            }
        });
    }

    private boolean isNow(int agentNumber) {
        return agent.filter(life -> life.number == agentNumber).isPresent();
    }

    /** Runs at the agent of that number, when it is not frozen; never if it is gone. */
    void atAgent(int agentNumber, Runnable work) {
        if (!isNow(agentNumber)) {
            return;
        }
        if (frozen) {
            held.add(() -> atAgent(agentNumber, work));
        } else {
            work.run();
            world.invariants().tasksMoved();
        }
    }

    /** The server of a stream is gone; the agent hears of it soon. */
    void serverGone(String server) {
        agent.ifPresent(life -> life.link.serverGone(server));
    }

    /** Breaks the agent's stream on the way. */
    void breakStream() {
        agent.ifPresent(life -> life.link.breakStream());
    }

    /** Time since this boot began, on a clock that does not start at 0. */
    long bootMillis() {
        return world.events().nowMillis() - boot.orElseThrow().sinceMillis + BOOT_MILLIS_FIRST;
    }

    /** Runs at a moment of the boot clock, if this boot lasts until then. */
    void atBootMillis(long millis, int bootNumber, Runnable work) {
        world.events().after(millis - bootMillis(), "", () -> {
            if (boot.filter(now -> now.number == bootNumber).isPresent()) {
                work.run();
            }
        });
    }

    void kill(List<GuardedTask> tasks) {
        SimulatedDriver driver = boot.orElseThrow().driver;
        tasks.forEach(task -> driver.fence(task.allocationId()));
        driver.poll(bootMillis());
        world.events().note("keeper-kill " + name + " " + tasks.size());
        world.invariants().tasksMoved();
    }

    /** What really runs. */
    List<KnownTask> alive() {
        return boot.map(now -> now.driver.tasks().stream()
                        .filter(task -> !task.ended())
                        .toList())
                .orElse(List.of());
    }

    /** For people who look for what went wrong. */
    String describe() {
        return name
                + boot.map(now -> " boot " + now.number + " at " + bootMillis() + " tasks "
                                + now.driver.tasks().stream()
                                        .map(task -> task.allocationId() + " "
                                                + task.report().getState() + "#"
                                                + task.report().getTask().getAttempt())
                                        .toList())
                        .orElse(" off")
                + agent.map(life -> " agent " + life.number + (life.core.serving() ? " serving" : " not serving")
                                + (frozen ? " frozen" : "") + " lease until " + life.core.leaseDeadlineMillis())
                        .orElse(" no agent");
    }
}
