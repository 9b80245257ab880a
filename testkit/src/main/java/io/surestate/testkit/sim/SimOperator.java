package io.surestate.testkit.sim;

import io.surestate.api.v1.NodeState;
import io.surestate.log.v1.CordonNode;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.FenceNode;
import io.surestate.log.v1.FreezeCluster;
import io.surestate.log.v1.UncordonNode;
import io.surestate.log.v1.UnfreezeCluster;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.NodeEntry;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Who looks after the cluster: fences nodes that are silent, which it first turns off and keeps off until it has the answer, freezes the cluster for a
 * while, and takes nodes out of use and back; in the end all of them are in use. One thread.
 */
final class SimOperator {
    private static final int PAUSE_MILLIS = 6_000;
    private static final int FROZEN_MILLIS_MAX = 8_000;
    private static final int FREEZES_ONE_IN = 3;
    private static final int CORDONS_ONE_IN = 2;
    private static final int DEADLINE_MILLIS_MAX = 20_000;

    private final SimWorld world;
    private final SimClient client;
    private final Faults faults;
    private final Set<String> keptOff = new TreeSet<>();

    SimOperator(SimWorld world, SimClient client, Faults faults) {
        this.world = world;
        this.client = client;
        this.faults = faults;
    }

    void begin() {
        world.events().after(world.random().nextInt(2 * PAUSE_MILLIS), "", () -> {
            if (!faults.over()) {
                act();
            } else {
                client.look(state -> state.cordonedNodes()
                        .forEach(entry -> uncordon(entry.node().getName(), entry.draining())));
            }
            begin();
        });
    }

    /** Whether machines of that name must not run now. */
    boolean keepsOff(String name) {
        return keptOff.contains(name);
    }

    private void act() {
        if (world.random().nextInt(CORDONS_ONE_IN) == 0) {
            client.look(this::cordonOne);
        } else if (world.random().nextInt(FREEZES_ONE_IN) > 0) {
            client.look(this::fenceOne);
        } else if (world.random().nextBoolean()) {
            world.events().note("freeze-cluster");
            client.ask(
                    Envelope.newBuilder()
                            .setFreezeCluster(FreezeCluster.newBuilder()
                                    .setForMillis(1_000 + world.random().nextInt(FROZEN_MILLIS_MAX))),
                    done -> {});
        } else {
            world.events().note("unfreeze-cluster");
            client.ask(Envelope.newBuilder().setUnfreezeCluster(UnfreezeCluster.getDefaultInstance()), done -> {});
        }
    }

    private void cordonOne(ClusterState state) {
        if (state.nodes().isEmpty() || faults.over()) {
            return;
        }
        NodeEntry entry = world.pick(List.copyOf(state.nodes()));
        String name = entry.node().getName();
        if (entry.cordoned() && world.random().nextInt(3) > 0) {
            uncordon(name, entry.draining());
            return;
        }
        boolean drain = world.random().nextInt(3) > 0;
        boolean deadline = drain && world.random().nextBoolean();
        world.events().note((drain ? "drain " : "cordon ") + name);
        client.ask(
                Envelope.newBuilder()
                        .setCordonNode(CordonNode.newBuilder()
                                .setNode(name)
                                .setReason("simulated")
                                .setDrain(drain)
                                .setDeadlineAfterMillis(
                                        deadline ? 1_000 + world.random().nextInt(DEADLINE_MILLIS_MAX) : 0)),
                done -> world.events().count(drain ? "drained" : "cordoned"));
    }

    private void uncordon(String name, boolean drains) {
        world.events().note("uncordon " + name);
        client.ask(
                Envelope.newBuilder()
                        .setUncordonNode(UncordonNode.newBuilder().setNode(name).setDrain(drains)),
                done -> world.events().count("uncordoned"));
    }

    private void fenceOne(ClusterState state) {
        List<String> silent = state.nodes().stream()
                .map(entry -> entry.node())
                .filter(node -> node.getStatus().getState() != NodeState.NODE_STATE_READY)
                .map(node -> node.getName())
                .filter(name -> !keptOff.contains(name))
                .toList();
        if (!silent.isEmpty() && !faults.over()) {
            fence(world.pick(silent));
        }
    }

    private void fence(String name) {
        world.events().note("fence " + name);
        keptOff.add(name);
        List<SimNode> machines = world.machines().stream()
                .filter(machine -> machine.name().equals(name))
                .toList();
        machines.stream().filter(SimNode::up).forEach(SimNode::powerOff);
        client.insist(Envelope.newBuilder().setFenceNode(FenceNode.newBuilder().setNode(name)), done -> {
            world.events().count(done.hasRejected() ? "fence-refused" : "fenced");
            world.events().after(faults.over() ? 1 : faults.someTime(), "", () -> {
                keptOff.remove(name);
                world.nodes().stream().filter(node -> node.name().equals(name)).forEach(faults::bringBack);
            });
        });
    }
}
