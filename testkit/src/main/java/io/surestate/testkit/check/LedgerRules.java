package io.surestate.testkit.check;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.CommittedGang;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeState;
import io.surestate.api.v1.Plan;
import io.surestate.api.v1.PlanMode;
import io.surestate.api.v1.PlanResult;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.Envelope.CommandCase;
import io.surestate.log.v1.LogEntry;
import io.surestate.log.v1.Outcome;
import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.CommittedEntry;
import io.surestate.statemachine.state.Change;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What the ledger may do, by a count of its own that follows every change: no core or device is given or promised twice at any revision;
 * allocations are made by plans alone, whole gangs at a time, but for the places that a gang is promised in the entry that tells of a lost task or makes
 * it leave its places, and move as their states allow; nothing new is placed on a cordoned node; a place where something may run is given back by proof alone; and a nomination is bound in the very entry that frees the
 * last of its gang's places, once the gang waits. One thread.
 */
public final class LedgerRules {
    private static final Set<CommandCase> PROOFS = EnumSet.of(
            CommandCase.REPORT_TASKS, CommandCase.REGISTER_NODE, CommandCase.LOSE_NODE, CommandCase.FENCE_NODE);
    /** After which a gang may be promised places that no plan names: it has spare ones. */
    private static final Set<CommandCase> SWAPS = EnumSet.of(
            CommandCase.REPORT_TASKS,
            CommandCase.REGISTER_NODE,
            CommandCase.LOSE_NODE,
            CommandCase.FENCE_NODE,
            CommandCase.COMMIT_PLAN,
            CommandCase.TICK);

    private static final Set<CommandCase> LET_GO = EnumSet.of(CommandCase.RELEASE_ALLOCATIONS, CommandCase.FENCE_NODE);

    private final Map<String, Allocation> live = new HashMap<>();
    private final Map<String, Node> nodes = new HashMap<>();
    private final Map<String, Usage> usage = new HashMap<>();
    private final TreeMap<String, Allocation> nominations = new TreeMap<>();
    /** Jobs that are being stopped: what they are promised is for their next attempt. */
    private final Set<String> restarting = new HashSet<>();

    /** The next entry and what it came to. */
    public Optional<String> add(CommittedEntry committed, AppliedEntry applied) {
        List<Envelope> commands =
                committed.entry().map(LogEntry::getCommandsList).orElse(List.of());
        EnumSet<CommandCase> kinds = EnumSet.noneOf(CommandCase.class);
        commands.forEach(command -> kinds.add(command.getCommandCase()));
        TreeSet<String> touched = new TreeSet<>();
        TreeSet<String> made = new TreeSet<>();
        for (Change change : applied.changes()) {
            followJob(change);
            Optional<String> problem = follow(change, applied.revision(), kinds, touched, made);
            if (problem.isPresent()) {
                return at(applied, problem);
            }
        }
        return at(
                applied,
                Stream.concat(
                                touched.stream().flatMap(this::tooMuch),
                                Stream.of(plans(commands, applied, made, kinds), promises())
                                        .flatMap(Optional::stream))
                        .findFirst());
    }

    private static Optional<String> at(AppliedEntry entry, Optional<String> problem) {
        return problem.map(what -> "ledger at " + entry.revision() + ": " + what);
    }

    private void followJob(Change change) {
        if (change instanceof Change.JobPut put) {
            boolean stops = put.job().getStatus().getPhase() == JobPhase.JOB_PHASE_RESTARTING;
            if (stops) {
                restarting.add(put.job().getUid());
            } else {
                restarting.remove(put.job().getUid());
            }
        } else if (change instanceof Change.JobFinished finished) {
            restarting.remove(finished.job().getUid());
        }
    }

    /** Whether a loss or a move promised it to a later attempt, in this entry; one that is gone again is no matter. */
    private boolean promised(String id, Set<CommandCase> kinds) {
        return kinds.stream().anyMatch(SWAPS::contains)
                && Optional.ofNullable(live.get(id))
                        .map(place -> place.hasTask() && place.getTask().getAttempt() > 1)
                        .orElse(true);
    }

    private Optional<String> follow(
            Change change, long index, Set<CommandCase> kinds, Set<String> touched, Set<String> made) {
        if (change instanceof Change.NodePut put) {
            nodes.put(put.node().getName(), put.node());
        } else if (change instanceof Change.AllocationPut put) {
            touched.add(put.allocation().getNode());
            return put(put.allocation(), index, made);
        } else if (change instanceof Change.AllocationRemoved removed) {
            touched.add(removed.allocation().getNode());
            return removed(removed.allocation().getId(), kinds);
        }
        return Optional.empty();
    }

    private Optional<String> put(Allocation allocation, long index, Set<String> made) {
        Allocation before = live.put(allocation.getId(), allocation);
        usage.computeIfAbsent(allocation.getNode(), any -> new Usage()).count(allocation, 1);
        if (allocation.getState() == AllocationState.ALLOCATION_STATE_NOMINATED) {
            nominations.put(allocation.getId(), allocation);
        } else {
            nominations.remove(allocation.getId());
        }
        if (before == null) {
            made.add(allocation.getId());
            boolean cordoned = Optional.ofNullable(nodes.get(allocation.getNode()))
                    .filter(node -> node.getStatus().hasCordon())
                    .isPresent();
            if (cordoned) {
                return Optional.of("made on cordoned node " + allocation.getNode() + ": " + allocation.getId());
            }
            return wrong(
                    allocation.getEpoch() == index
                            && allocation.getState() != AllocationState.ALLOCATION_STATE_RELEASING,
                    "made with epoch " + allocation.getEpoch() + " as " + allocation.getState() + ": "
                            + allocation.getId());
        }
        usage(before).count(before, -1);
        boolean same = before.getClaim().equals(allocation.getClaim())
                && before.getNode().equals(allocation.getNode())
                && before.getEpoch() == allocation.getEpoch();
        return wrong(
                same && mayBecome(before.getState(), allocation.getState()),
                "allocation " + allocation.getId() + " went from " + before.getState() + " to " + allocation.getState()
                        + (same ? "" : " with another claim, node or epoch"));
    }

    private Usage usage(Allocation allocation) {
        return usage.computeIfAbsent(allocation.getNode(), any -> new Usage());
    }

    private static boolean mayBecome(AllocationState from, AllocationState to) {
        return from == to
                || (from == AllocationState.ALLOCATION_STATE_NOMINATED && to == AllocationState.ALLOCATION_STATE_HELD)
                || (to == AllocationState.ALLOCATION_STATE_BOUND && from != AllocationState.ALLOCATION_STATE_RELEASING)
                || (to == AllocationState.ALLOCATION_STATE_RELEASING && from == AllocationState.ALLOCATION_STATE_BOUND);
    }

    private Optional<String> removed(String id, Set<CommandCase> kinds) {
        Allocation gone = live.remove(id);
        nominations.remove(id);
        if (gone == null) {
            return Optional.of("allocation " + id + " was given back, which the ledger does not have");
        }
        usage(gone).count(gone, -1);
        boolean taken = gone.getState() == AllocationState.ALLOCATION_STATE_BOUND
                || gone.getState() == AllocationState.ALLOCATION_STATE_RELEASING;
        boolean proven = kinds.stream().anyMatch(gone.hasTask() ? PROOFS::contains : LET_GO::contains);
        return wrong(
                !taken || proven, gone.getState() + " allocation " + id + " was given back without proof, by " + kinds);
    }

    private Stream<String> tooMuch(String node) {
        return Optional.ofNullable(usage.get(node))
                .flatMap(Usage::tooMuch)
                .map(what -> "gives on " + node + " " + what)
                .stream();
    }

    /** Every gang that a plan committed is there whole, and nothing else was made. */
    private Optional<String> plans(
            List<Envelope> commands, AppliedEntry applied, Set<String> made, Set<CommandCase> kinds) {
        TreeSet<String> unexplained = new TreeSet<>(made);
        for (int i = 0; i < commands.size(); i++) {
            Envelope command = commands.get(i);
            Outcome outcome = applied.outcomes().get(i);
            if (EntryRules.askedBefore(commands, i)
                    || !outcome.hasPlan()
                    || outcome.getPlan().getRevision() != applied.revision()) {
                continue;
            }
            Optional<String> problem = Optional.empty();
            if (command.hasCommitPlan()) {
                problem = plan(command.getCommitPlan().getPlan(), outcome.getPlan(), applied.revision(), unexplained);
            } else if (command.hasHoldPlan()) {
                Plan plan = command.getHoldPlan().getPlan().toBuilder()
                        .setMode(PlanMode.PLAN_MODE_ALL_OR_NOTHING)
                        .build();
                problem = plan(plan, outcome.getPlan(), applied.revision(), unexplained);
            }
            if (problem.isPresent()) {
                return problem;
            }
        }
        unexplained.removeIf(id -> promised(id, kinds));
        return wrong(unexplained.isEmpty(), "made without a plan: " + unexplained);
    }

    private static Optional<String> plan(Plan plan, PlanResult result, long index, Set<String> unexplained) {
        boolean all = plan.getMode() != PlanMode.PLAN_MODE_PER_GROUP;
        if (all && result.getConflictsCount() > 0 && result.getCommittedCount() > 0) {
            return Optional.of("a plan of which all or nothing was to be committed was committed in part: " + result);
        }
        for (CommittedGang gang : result.getCommittedList()) {
            int places = plan.getGangs(gang.getGang()).getPlacementsCount();
            boolean whole = gang.getAllocations() == places;
            for (int i = 0; i < places; i++) {
                String id = String.format("%016x-%06x", index, gang.getFirstOrdinal() + i);
                whole &= unexplained.remove(id);
            }
            if (!whole) {
                return Optional.of("half a gang was committed: " + gang);
            }
        }
        return Optional.empty();
    }

    /** No gang waits whose places are all empty, whose places are not all promised, or whose places cannot be had. */
    private Optional<String> promises() {
        TreeMap<String, TreeMap<String, TreeMap<String, Long>>> gangs = new TreeMap<>();
        for (Allocation nomination : nominations.values()) {
            if (restarting.contains(nomination.getTask().getJobUid())) {
                continue;
            }
            Node node = Optional.ofNullable(nodes.get(nomination.getNode())).orElseThrow();
            if (node.getStatus().getState() != NodeState.NODE_STATE_READY
                    || node.getStatus().hasCordon()) {
                return Optional.of("a place is promised on " + node.getStatus().getState()
                        + (node.getStatus().hasCordon() ? " cordoned" : "") + " node " + node.getName() + ": "
                        + nomination.getId());
            }
            TreeMap<String, Long> wanted = gangs.computeIfAbsent(gang(nomination), any -> new TreeMap<>())
                    .computeIfAbsent(nomination.getNode(), any -> new TreeMap<>());
            Usage.things(nomination.getClaim()).forEach((thing, amount) -> wanted.merge(thing, amount, Long::sum));
        }
        return gangs.entrySet().stream()
                .filter(gang -> gang.getValue().entrySet().stream()
                        .allMatch(place -> Optional.ofNullable(usage.get(place.getKey()))
                                .orElseThrow()
                                .backs(
                                        place.getValue(),
                                        Optional.ofNullable(nodes.get(place.getKey()))
                                                .orElseThrow())))
                .findFirst()
                .map(gang -> "everything that gang " + gang.getKey() + " waits for is empty, and it is not bound");
    }

    private static String gang(Allocation nomination) {
        return nomination.hasTask()
                ? nomination.getTask().getJobUid()
                : nomination.getTenant() + "/" + nomination.getName();
    }

    private static Optional<String> wrong(boolean right, String what) {
        return right ? Optional.empty() : Optional.of(what);
    }
}
