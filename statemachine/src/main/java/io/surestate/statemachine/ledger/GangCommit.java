package io.surestate.statemachine.ledger;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobEventKind;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.PlanConflict;
import io.surestate.api.v1.Resources;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskGroup;
import io.surestate.api.v1.TaskRef;
import io.surestate.api.v1.TaskState;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.job.JobEdit;
import io.surestate.statemachine.job.Tasks;
import io.surestate.statemachine.state.JobEntry;
import io.surestate.statemachine.state.NodeEntry;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.TreeSet;

/** One gang of a plan: checked against the state at this very index, then placed whole or not at all. Used once. */
final class GangCommit {
    private final Draft draft;
    private final GangPlacement gang;
    private final Conflicts conflicts;
    private final ClaimCheck claims;
    private final FreeCheck free;
    private final BitSet placed = new BitSet();
    private final TreeSet<String> nodes = new TreeSet<>();

    /** Works in the given draft, which is to be dropped where there are conflicts. */
    GangCommit(Draft draft, GangPlacement gang) {
        this.draft = draft;
        this.gang = gang;
        this.conflicts = new Conflicts(gang.getJobUid());
        this.claims = new ClaimCheck(conflicts);
        this.free = new FreeCheck(conflicts, draft.index());
    }

    /** Returns what stands against the gang; empty = it is placed. */
    List<PlanConflict> commit(String scheduler) {
        Optional<JobEntry> entry = draft.state().job(gang.getJobUid());
        if (entry.isEmpty()) {
            conflicts.add("job", gang.getJobUid(), "a live job");
            return conflicts.list();
        }
        new GangCheck(conflicts).check(entry.get().job(), gang, scheduler, draft.timeMillis());
        if (conflicts.none()) {
            placeAll(entry.get());
        }
        if (conflicts.none()) {
            run(entry.get().job());
        }
        return conflicts.list();
    }

    private void placeAll(JobEntry entry) {
        TreeMap<String, TaskGroup> groups = new TreeMap<>();
        entry.job().getSpec().getGroupsList().forEach(group -> groups.put(group.getName(), group));
        for (Placement placement : gang.getPlacementsList()) {
            OptionalInt at = entry.position(placement.getGroup(), placement.getIndex());
            String label = placement.getGroup() + "/" + placement.getIndex();
            if (at.isEmpty()) {
                conflicts.add("task", label, "a task of the job");
            } else if (placed.get(at.getAsInt())) {
                conflicts.add("task", label, "one place for each task");
            } else {
                placed.set(at.getAsInt());
                Resources asked = Optional.ofNullable(groups.get(placement.getGroup()))
                        .map(TaskGroup::getResources)
                        .orElseThrow();
                place(placement, asked, entry.tasks().get(at.getAsInt()), entry.job());
            }
        }
        int missing = placed.nextClearBit(0);
        if (missing < entry.tasks().size()) {
            conflicts.add(
                    "task", Tasks.label(entry.tasks().get(missing)), "a place for it, as for every task of the gang");
        }
    }

    private void place(Placement placement, Resources asked, Task task, Job job) {
        Optional<NodeEntry> node = draft.state().node(placement.getNode());
        if (node.isEmpty()) {
            conflicts.add(placement.getNode(), "node", placement.getNode(), "a node that registered", "");
            return;
        }
        boolean good = usable(placement, node.get())
                && claims.check(placement, asked, node.get())
                && free.check(placement.getClaim(), node.get());
        if (good) {
            allocate(placement, task, job);
        }
    }

    private boolean usable(Placement placement, NodeEntry node) {
        String name = placement.getNode();
        long epoch = node.node().getStatus().getEpoch();
        if (placement.getNodeEpoch() != epoch) {
            conflicts.add(name, "node epoch", Long.toString(placement.getNodeEpoch()), Long.toString(epoch), "");
            return false;
        }
        if (!node.schedulable()) {
            conflicts.add(name, "node state", node.node().getStatus().getState().name(), "READY", "");
            return false;
        }
        return true;
    }

    private void allocate(Placement placement, Task task, Job job) {
        Allocation allocation = draft.put(Allocation.newBuilder()
                .setId(draft.nextId())
                .setTenant(job.getTenant())
                .setTask(TaskRef.newBuilder()
                        .setJobUid(job.getUid())
                        .setGroup(task.getGroup())
                        .setIndex(task.getIndex())
                        .setAttempt(task.getAttempt()))
                .setNode(placement.getNode())
                .setState(AllocationState.ALLOCATION_STATE_BOUND)
                .setEpoch(draft.index())
                .setClaim(placement.getClaim())
                .setCreatedMillis(draft.timeMillis()));
        draft.put(Tasks.move(task, TaskState.TASK_STATE_ALLOCATED)
                .setNode(placement.getNode())
                .setAllocationId(allocation.getId()));
        nodes.add(placement.getNode());
    }

    private void run(Job job) {
        JobEdit edit = new JobEdit(draft, job);
        edit.status().setPhase(JobPhase.JOB_PHASE_RUNNING).setNotBeforeMillis(0).setReason("");
        edit.event(
                JobEventKind.JOB_EVENT_KIND_ALLOCATED,
                gang.getPlacementsCount() + " tasks on " + nodes.size() + " nodes");
        edit.commit();
    }
}
