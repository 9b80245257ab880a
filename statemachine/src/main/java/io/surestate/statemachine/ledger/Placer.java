package io.surestate.statemachine.ledger;

import io.surestate.api.GroupSize;
import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.Claim;
import io.surestate.api.v1.ConflictKind;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.LeaseEnd;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskGroup;
import io.surestate.api.v1.TaskRef;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.job.LeaseEnds;
import io.surestate.statemachine.state.Amounts;
import io.surestate.statemachine.state.JobEntry;
import io.surestate.statemachine.state.NodeEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Puts the placements of one gang into a draft, each after its checks; a conflict leaves its placement out. Used once. */
final class Placer {
    private final Draft draft;
    private final Terms terms;
    private final AllocationState state;
    private final Conflicts conflicts;
    private final ClaimForm form;
    private final ClaimCheck claims;
    private final FitCheck fit;
    private final List<Allocation> placed = new ArrayList<>();

    /** @param state what the places become */
    Placer(Draft draft, Terms terms, AllocationState state, Conflicts conflicts) {
        this.draft = draft;
        this.terms = terms;
        this.state = state;
        this.conflicts = conflicts;
        this.form = new ClaimForm(conflicts);
        this.claims = new ClaimCheck(conflicts, draft.state().accelerators());
        this.fit = new FitCheck(conflicts, terms.firstOwnId());
    }

    /** Allocations under the gang's name. */
    List<Allocation> named(GangPlacement gang) {
        for (int i = 0; i < gang.getPlacementsCount(); i++) {
            conflicts.aboutPlacement(i);
            Placement placement = gang.getPlacements(i);
            usable(placement)
                    .filter(node -> form.check(placement, node)
                            && takesSomething(placement)
                            && fits(placement.getClaim(), node))
                    .ifPresent(node -> put(allocation(placement)
                            .setTenant(terms.caller().tenant())
                            .setName(gang.getName())
                            .setOnLeaseEnd(LeaseEnd.LEASE_END_KEEP)));
        }
        conflicts.aboutTheGang();
        return placed;
    }

    /** An allocation for each place of the gang that the plan gives, in the order of the placements; of the next attempt where this one is being stopped. */
    List<Allocation> tasks(GangPlacement gang, JobEntry entry) {
        GangPlaces places = new GangPlaces(draft.state(), entry, conflicts);
        for (int i = 0; i < gang.getPlacementsCount(); i++) {
            conflicts.aboutPlacement(i);
            Placement placement = gang.getPlacements(i);
            places.open(placement).ifPresent(group -> place(placement, group, entry));
        }
        conflicts.aboutTheGang();
        places.checkComplete();
        return placed;
    }

    private void place(Placement placement, TaskGroup group, JobEntry entry) {
        Job job = entry.job();
        boolean anew = job.getStatus().getPhase() == JobPhase.JOB_PHASE_RESTARTING;
        int attempt = anew
                ? job.getStatus().getAttempt() + 1
                : entry.task(group.getName(), placement.getIndex())
                        .map(Task::getAttempt)
                        .orElse(job.getStatus().getAttempt());
        boolean spare = GroupSize.isSpare(group, placement.getIndex());
        usable(placement)
                .filter(node -> form.check(placement, node)
                        && claims.check(placement, group.getResources(), node)
                        && fits(placement.getClaim(), node))
                .ifPresent(node -> put(allocation(placement)
                        .setTenant(job.getTenant())
                        .setState(
                                spare && state == AllocationState.ALLOCATION_STATE_BOUND
                                        ? AllocationState.ALLOCATION_STATE_HELD
                                        : state)
                        .setTask(TaskRef.newBuilder()
                                .setJobUid(job.getUid())
                                .setGroup(group.getName())
                                .setIndex(placement.getIndex())
                                .setAttempt(attempt))
                        .setOnLeaseEnd(LeaseEnds.effective(job.getSpec()))));
    }

    private Optional<NodeEntry> usable(Placement placement) {
        String name = placement.getNode();
        Optional<NodeEntry> node = draft.state().node(name);
        if (node.isEmpty()) {
            conflicts.add(ConflictKind.CONFLICT_KIND_NOT_FOUND, name, "node", name, "a node that registered");
            return node;
        }
        long epoch = node.get().node().getStatus().getEpoch();
        if (placement.getNodeEpoch() != epoch) {
            conflicts.add(
                    ConflictKind.CONFLICT_KIND_NODE,
                    name,
                    "node epoch",
                    Long.toString(placement.getNodeEpoch()),
                    Long.toString(epoch));
            return Optional.empty();
        }
        return NodeUse.check(conflicts, node.get()) ? node : Optional.empty();
    }

    private boolean takesSomething(Placement placement) {
        boolean some = !Amounts.of(placement.getClaim()).isNothing();
        if (!some) {
            conflicts.add(
                    ConflictKind.CONFLICT_KIND_CLAIM,
                    placement.getNode(),
                    "claim",
                    "empty",
                    "cores, memory, devices or links");
        }
        return some;
    }

    private boolean fits(Claim claim, NodeEntry node) {
        boolean nominated = state == AllocationState.ALLOCATION_STATE_NOMINATED;
        return fit.check(claim, node, nominated ? node.nominable() : node.free());
    }

    private Allocation.Builder allocation(Placement placement) {
        Allocation.Builder allocation = Allocation.newBuilder()
                .setId(draft.nextId())
                .setNode(placement.getNode())
                .setState(state)
                .setEpoch(draft.index())
                .setClaim(placement.getClaim())
                .setCreatedMillis(draft.timeMillis())
                .setChangedMillis(draft.timeMillis())
                .setScheduler(terms.scheduler())
                .setPrincipal(terms.caller().principal())
                .setHold(terms.hold());
        return placement.hasTelemetry() ? allocation.setTelemetry(placement.getTelemetry()) : allocation;
    }

    private void put(Allocation.Builder allocation) {
        placed.add(draft.put(allocation));
    }
}
