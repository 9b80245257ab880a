package io.surestate.testkit.sim;

import java.util.List;
import java.util.Random;

/**
 * What goes wrong with machines and on the way to them. Agent and keeper of one machine never fail at one time: either guards what the
 * other would have to kill. One thread.
 */
final class NodeFaults {
    private final SimWorld world;
    private final Faults faults;
    private final Random random;

    NodeFaults(SimWorld world, Faults faults) {
        this.world = world;
        this.faults = faults;
        this.random = world.random();
    }

    /** One of each, as often as it is listed. */
    List<Runnable> kinds() {
        return List.of(
                () -> cut(anyServer(), any()),
                () -> cutOneWay(anyServer(), any()),
                () -> killAgent(any()),
                () -> powerCycle(any()),
                () -> freezeAgent(any()),
                () -> killKeeper(any()),
                () -> freezeKeeper(any()),
                () -> sleep(any()),
                () -> copy(any()),
                () -> turnDevice(any()),
                () -> changeDevices(any()),
                () -> any().breakStream());
    }

    private SimNode any() {
        return world.pick(world.nodes());
    }

    private String anyServer() {
        return world.pick(world.servers()).id();
    }

    private void cut(String server, SimNode node) {
        faults.cut(server, node.name(), faults.someTime());
    }

    private void cutOneWay(String server, SimNode node) {
        boolean up = random.nextBoolean();
        faults.cutOneWay(up ? node.name() : server, up ? server : node.name(), faults.someTime());
    }

    private void killAgent(SimNode node) {
        if (node.sound()) {
            node.killAgent();
            faults.later(() -> bringBack(node));
        }
    }

    private void powerCycle(SimNode node) {
        if (node.up()) {
            node.powerOff();
            faults.later(() -> bringBack(node));
        }
    }

    void bringBack(SimNode node) {
        if (world.operator().keepsOff(node.name())) {
            return;
        }
        if (!node.up()) {
            world.events().note("power-on " + node.machine());
            node.powerOn();
        } else if (!node.agentRuns()) {
            world.events().note("start-agent " + node.machine());
            node.startAgent();
        }
    }

    private void freezeAgent(SimNode node) {
        if (node.sound()) {
            node.freezeAgent();
            faults.later(node::thawAgent);
        }
    }

    private void killKeeper(SimNode node) {
        if (node.sound()) {
            node.killKeeper();
        }
    }

    private void freezeKeeper(SimNode node) {
        if (node.sound()) {
            node.freezeKeeper();
            faults.later(node::thawKeeper);
        }
    }

    private void sleep(SimNode node) {
        if (node.up() && !node.asleep()) {
            node.fallAsleep();
            faults.later(node::wakeUp);
        }
    }

    /** Told with the next report or hello. */
    private void turnDevice(SimNode node) {
        int ordinal = random.nextInt(node.hardware().devices());
        world.events().note("device-health " + node.machine() + " " + ordinal);
        node.hardware().turn(ordinal);
        faults.later(() -> mendHardware(node));
    }

    /** Some devices vanish, or come back, and the agent says hello again. */
    private void changeDevices(SimNode node) {
        int kept = random.nextInt(node.hardware().devices() + 1);
        world.events().note("devices " + node.machine() + " " + kept);
        node.hardware().keep(kept);
        node.breakStream();
        faults.later(() -> mendHardware(node));
    }

    void mendHardware(SimNode node) {
        if (node.hardware().mend()) {
            world.events().note("devices-back " + node.machine());
            node.breakStream();
        }
    }

    /** Another machine comes up with a copy of this one's disk. */
    private void copy(SimNode node) {
        if (world.operator().keepsOff(node.name())) {
            return;
        }
        world.copyOf(node).filter(copy -> !copy.up()).ifPresent(copy -> {
            world.events().note("copy-on " + copy.machine());
            copy.powerOn();
            faults.later(() -> {
                if (copy.up()) {
                    copy.powerOff();
                }
            });
        });
    }
}
