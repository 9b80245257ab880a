package io.surestate.statemachine.ledger;

import io.surestate.api.GroupSize;
import io.surestate.api.v1.ConflictKind;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskGroup;
import io.surestate.api.v1.TaskState;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.JobEntry;
import java.util.BitSet;
import java.util.Optional;
import java.util.TreeMap;

/** Which places of a job a plan may fill, and whether it fills as many as the gang needs to start. Used once. */
final class GangPlaces {
    private final ClusterState state;
    private final JobEntry entry;
    private final Conflicts conflicts;
    private final boolean starts;
    /** The present tasks are being stopped: every place of the next attempt is open. */
    private final boolean anew;

    private final TreeMap<String, Filled> groups = new TreeMap<>();

    GangPlaces(ClusterState state, JobEntry entry, Conflicts conflicts) {
        this.state = state;
        this.entry = entry;
        this.conflicts = conflicts;
        this.anew = entry.job().getStatus().getPhase() == JobPhase.JOB_PHASE_RESTARTING;
        this.starts = anew || entry.job().getStatus().getPhase() == JobPhase.JOB_PHASE_PENDING;
        entry.job().getSpec().getGroupsList().forEach(group -> groups.put(group.getName(), new Filled(group)));
    }

    /** What of one group has a place: before the plan and by it. */
    private final class Filled {
        private final TaskGroup group;
        private final BitSet indexes = new BitSet();
        private long tasks;

        Filled(TaskGroup group) {
            this.group = group;
            this.tasks = starts
                    ? 0
                    : entry.tasks().stream()
                            .filter(task -> task.getGroup().equals(group.getName()))
                            .filter(task -> task.getState() != TaskState.TASK_STATE_PENDING && !task.getLeaving())
                            .count();
        }

        /** Whether the index is filled for the first time. */
        boolean fill(int index) {
            boolean first = !indexes.get(index);
            indexes.set(index);
            tasks += first && index < group.getCount() ? 1 : 0;
            return first;
        }

        /** The first task without a place among those that must have one; empty = none. */
        Optional<Integer> missing() {
            int first = indexes.nextClearBit(0);
            return first < Math.max(GroupSize.min(group), tasks) ? Optional.of(first) : Optional.empty();
        }
    }

    /** The group of a task or spare place that is the job's, has no place yet and is wanted; empty = it is not, which is added. */
    Optional<TaskGroup> open(Placement placement) {
        int index = placement.getIndex();
        Optional<Filled> filled = Optional.ofNullable(groups.get(placement.getGroup()));
        Optional<Task> task = entry.task(placement.getGroup(), index);
        boolean spare = filled.filter(of -> GroupSize.isSpare(of.group, index)).isPresent();
        if (filled.isEmpty() || (task.isEmpty() && !spare)) {
            return refuse(placement, ConflictKind.CONFLICT_KIND_NOT_FOUND, "a task of the job");
        }
        TaskGroup group = filled.get().group;
        if (!filled.get().fill(index)) {
            return refuse(placement, ConflictKind.CONFLICT_KIND_CLAIM, "one place for each task");
        }
        boolean open = anew
                || isOpen(
                        state,
                        entry,
                        group.getName(),
                        index,
                        task.map(Task::getAttempt).orElse(0));
        if (!open) {
            return refuse(placement, ConflictKind.CONFLICT_KIND_JOB, "one that has no place yet");
        }
        return filled.get().tasks > GroupSize.target(group)
                ? refuse(
                        placement,
                        ConflictKind.CONFLICT_KIND_CLAIM,
                        "at most " + GroupSize.target(group) + " tasks of the group, as are wanted")
                : Optional.of(group);
    }

    private Optional<TaskGroup> refuse(Placement placement, ConflictKind kind, String expected) {
        conflicts.add(kind, "task", placement.getGroup() + "/" + placement.getIndex(), expected);
        return Optional.empty();
    }

    /** Whether a task of this attempt waits for its place, or a spare place is not kept yet. */
    static boolean isOpen(ClusterState state, JobEntry entry, String group, int index, int attempt) {
        return entry.task(group, index)
                .map(task -> task.getState() == TaskState.TASK_STATE_PENDING && task.getAttempt() == attempt)
                .orElseGet(() -> state.sparesOf(entry.job().getUid()).stream()
                        .noneMatch(kept -> kept.getTask().getGroup().equals(group)
                                && kept.getTask().getIndex() == index));
    }

    /** A gang that starts has the first tasks of each group, at least its fewest; adds the first that is missing. */
    void checkComplete() {
        if (starts) {
            groups.values().stream()
                    .filter(filled -> filled.missing().isPresent())
                    .findFirst()
                    .ifPresent(this::refuseStart);
        }
    }

    private void refuseStart(Filled filled) {
        conflicts.add(
                ConflictKind.CONFLICT_KIND_CLAIM,
                "task",
                filled.group.getName() + "/" + filled.missing().orElseThrow(),
                GroupSize.elastic(filled.group)
                        ? "a place for it, as for at least the first " + GroupSize.min(filled.group) + " of the group"
                        : "a place for it, as for every task of the gang");
    }
}
