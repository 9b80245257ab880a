package io.surestate.testkit.sim;

import io.surestate.agent.driver.KnownTask;
import io.surestate.agent.driver.TaskStates;
import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeState;
import io.surestate.api.v1.ServerMessage;
import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.state.Change;
import io.surestate.testkit.check.TaskRuns;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * What must hold between the ledger, the leases that servers grant, and what runs on machines.
 *
 * <p>One exception, from promise 6: a task that stops at the end of its lease may be there beyond it while its machine, which was frozen
 * whole, sleeps or has just begun to wake up. One thread.
 */
final class SimTasks {
    private static final long AUDIT_MILLIS = 250;

    private final SimWorld world;
    private final TaskRuns runs = new TaskRuns(this::excused);
    private final Map<String, Long> silentSinceMillis = new HashMap<>();
    private final Map<String, SimNode> machines = new HashMap<>();

    SimTasks(SimWorld world) {
        this.world = world;
    }

    void begin() {
        world.machines().forEach(node -> machines.put(node.machine(), node));
        audit();
    }

    private boolean excused(TaskRuns.Run run) {
        SimNode node = Optional.ofNullable(machines.get(run.machine())).orElseThrow();
        return node.drowsy()
                && node.leaseOverMillis() >= 0
                && node.alive().stream()
                        .filter(task ->
                                task.allocationId().equals(run.allocation().getId()))
                        .anyMatch(task -> TaskStates.stopsAtLeaseEnd(task.desired()));
    }

    private void expectNone(Optional<String> problem) {
        problem.ifPresent(what -> world.invariants().expect(false, what));
    }

    /** A revision that no server applied before. */
    void applied(AppliedEntry entry) {
        for (Change change : entry.changes()) {
            if (change instanceof Change.AllocationPut put) {
                String job = put.allocation().getTask().getJobUid();
                expectNone(runs.allocated(
                        put.allocation(), world.invariants().history().step(job)));
            } else if (change instanceof Change.AllocationRemoved removed) {
                expectNone(runs.removed(removed.allocation().getId()));
            } else if (change instanceof Change.NodePut put) {
                moved(put.node());
            }
        }
    }

    private void moved(Node node) {
        NodeState state = node.getStatus().getState();
        if (state == NodeState.NODE_STATE_READY) {
            silentSinceMillis.remove(node.getName());
        } else {
            silentSinceMillis.putIfAbsent(node.getName(), world.events().nowMillis());
        }
        if (state == NodeState.NODE_STATE_LOST) {
            world.events().note("lost " + node.getName());
            world.machines().stream()
                    .filter(machine -> machine.hasBoot(node.getStatus().getBootId()))
                    .forEach(machine -> world.invariants()
                            .expect(
                                    machine.leaseOverMillis() >= 0,
                                    "node " + node.getName() + " was given up " + -machine.leaseOverMillis()
                                            + " ms before its lease ends"));
        }
    }

    void started(SimNode node, DesiredTask task) {
        world.events().note("run " + task.getAllocation().getId() + " " + node.machine());
        world.invariants()
                .expect(
                        node.leaseOverMillis() < 0,
                        "started " + node.leaseOverMillis() + " ms after the end of the lease: "
                                + task.getAllocation().getId() + " on " + node.machine());
        expectNone(runs.started(new TaskRuns.Run(node.machine(), task.getAllocation()), task.getResumeStep()));
    }

    void ended(String allocationId) {
        world.events().note("end " + allocationId);
        runs.ended(allocationId);
    }

    /** A server says something to an agent. */
    void sent(SimServer server, SimNode node, SimAgent agent, ServerMessage message) {
        long knows = server.revision();
        long needs = world.oracle().committedAtElection(server.leadingTerm());
        world.invariants()
                .expect(
                        knows >= needs,
                        "server " + server.id() + " leads at " + knows + ", " + needs
                                + " was committed before it was elected");
        if (message.hasHeartbeatAck() && message.getHeartbeatAck().getLeaseMillis() > 0) {
            long since = silentSinceMillis.getOrDefault(node.name(), Long.MAX_VALUE);
            world.invariants()
                    .expect(
                            agent.sentMillis(message.getHeartbeatAck().getSequence()) <= since,
                            "lease of " + node.name() + " renewed by " + server.id()
                                    + " for a heartbeat sent after the node was suspected");
        }
    }

    /** An agent counts its lease until then, on the boot clock. */
    void believes(SimNode node, long deadlineMillis) {
        world.invariants()
                .expect(
                        deadlineMillis == 0 || deadlineMillis <= node.bootMillis() - node.leaseOverMillis(),
                        "agent on " + node.machine() + " counts its lease until " + deadlineMillis
                                + ", which is longer than granted");
    }

    /** Whatever stops at the end of its lease has stopped, at the latest when keeper or agent looked. */
    private void audit() {
        for (SimNode node : world.machines()) {
            long slack = Math.max(SimKeeper.ROUND_MILLIS, world.settings().pollMillis()) + 10;
            boolean over = node.up() && !node.drowsy() && node.leaseOverMillis() > slack;
            world.invariants()
                    .expect(
                            !over || !node.outlivesLease(),
                            "tasks on " + node.machine() + " run " + node.leaseOverMillis()
                                    + " ms after the end of their lease");
        }
        world.machines().forEach(this::checkCounted);
        world.events().after(AUDIT_MILLIS, "", this::audit);
    }

    /** Whatever runs is inside an allocation that counts. */
    private void checkCounted(SimNode node) {
        for (KnownTask task : node.alive()) {
            expectNone(runs.seen(new TaskRuns.Run(node.machine(), task.desired().getAllocation())));
        }
    }

    /** How many starts were looked at. */
    long starts() {
        return runs.starts();
    }
}
