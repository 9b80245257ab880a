package io.surestate.statemachine.ledger;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.JobPhase;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.job.JobPlaces;
import io.surestate.statemachine.state.Amounts;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.Ids;
import io.surestate.statemachine.state.NodeEntry;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * What becomes of nominated gangs when nodes change: a gang is bound in the very command that frees the last of its places, and taken
 * back when one of them can no longer be had. The older gang comes first.
 */
final class Nominations {
    private Nominations() {}

    /** Looks at the gangs that have a nomination on one of these nodes. */
    static void settle(Draft draft, Iterable<String> nodes) {
        nodes.forEach(node -> withdrawWhatCannotFit(draft, node));
        TreeMap<String, Allocation> gangs = new TreeMap<>();
        for (String node : nodes) {
            gangs.putAll(gangsOn(draft.state(), node));
        }
        for (Allocation member : gangs.values()) {
            settle(draft, member);
        }
    }

    /** A node that shrank keeps the promises that it still can, the older first. */
    private static void withdrawWhatCannotFit(Draft draft, String node) {
        while (!draft.state().node(node).orElseThrow().nominationsFit()) {
            Allocation youngest = gangsOn(draft.state(), node).lastEntry().getValue();
            withdraw(draft, youngest, "node " + node + " no longer has what was promised");
        }
    }

    /** One member of each gang with a nomination on a node, the older gang first. */
    private static NavigableMap<String, Allocation> gangsOn(ClusterState state, String node) {
        TreeMap<String, Allocation> gangs = new TreeMap<>();
        state.node(node).orElseThrow().allocations().stream()
                .filter(Nominations::isNomination)
                .forEach(nomination -> gangs.putIfAbsent(gangKey(nomination), nomination));
        return gangs;
    }

    /** Takes back the whole gang that a nomination belongs to. */
    static void withdraw(Draft draft, Allocation member, String reason) {
        if (member.hasTask()) {
            JobPlaces.withdraw(draft, member.getTask().getJobUid(), reason);
        } else {
            gangOf(draft.state(), member).forEach(nomination -> draft.release(nomination, reason));
        }
    }

    private static void settle(Draft draft, Allocation member) {
        if (!waits(draft.state(), member)) {
            return;
        }
        List<Allocation> gang = gangOf(draft.state(), member);
        for (Allocation nomination : gang) {
            NodeEntry node = draft.state().node(nomination.getNode()).orElseThrow();
            if (hopeless(node, nomination)) {
                withdraw(draft, member, "node " + node.node().getName() + " can no longer give what was promised");
                return;
            }
        }
        if (backed(draft.state(), gang)) {
            bind(draft, member, gang);
        }
    }

    /** A gang that is still being stopped gets what it was promised, or not, when the attempt is over. */
    private static boolean waits(ClusterState state, Allocation member) {
        return !member.hasTask()
                || state.job(member.getTask().getJobUid())
                        .filter(entry -> entry.job().getStatus().getPhase() == JobPhase.JOB_PHASE_NOMINATED)
                        .isPresent();
    }

    private static void bind(Draft draft, Allocation member, List<Allocation> gang) {
        if (member.hasTask()) {
            JobPlaces.bind(
                    draft, draft.state().job(member.getTask().getJobUid()).orElseThrow(), gang);
        } else {
            gang.forEach(nomination -> draft.move(nomination, AllocationState.ALLOCATION_STATE_BOUND, ""));
        }
    }

    /** Nothing new is started on a node that fell silent, and unhealthy hardware is not waited for. */
    private static boolean hopeless(NodeEntry node, Allocation nomination) {
        boolean unhealthy = nomination.getClaim().getDevicesList().stream()
                .map(DeviceShare::getOrdinal)
                .anyMatch(node::quarantined);
        return !node.schedulable() || unhealthy;
    }

    /** Whether all of the gang could be bound: two of its places on one node need room for both. */
    private static boolean backed(ClusterState state, List<Allocation> gang) {
        TreeMap<String, Amounts> wanted = new TreeMap<>();
        for (Allocation nomination : gang) {
            wanted.merge(nomination.getNode(), Amounts.of(nomination.getClaim()), Amounts::plus);
        }
        return wanted.entrySet().stream()
                .allMatch(entry ->
                        state.node(entry.getKey()).orElseThrow().unoccupied().covers(entry.getValue()));
    }

    /** All nominations of the gang that one belongs to. */
    static List<Allocation> gangOf(ClusterState state, Allocation member) {
        return (member.hasTask()
                        ? state.nominatedFor(member.getTask().getJobUid())
                        : state.named(member.getTenant(), member.getName()))
                .stream().filter(Nominations::isNomination).toList();
    }

    private static String gangKey(Allocation nomination) {
        // All places of a gang are made by one entry: the epoch puts the older gang first.
        String owner = nomination.hasTask()
                ? nomination.getTask().getJobUid()
                : nomination.getTenant() + "/" + nomination.getName();
        return Ids.of(nomination.getEpoch(), 0) + owner;
    }

    static boolean isNomination(Allocation allocation) {
        return allocation.getState() == AllocationState.ALLOCATION_STATE_NOMINATED;
    }
}
