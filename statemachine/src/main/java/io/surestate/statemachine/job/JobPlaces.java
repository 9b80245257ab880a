package io.surestate.statemachine.job;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobEventKind;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.Task;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.state.JobEntry;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** A job's way through its places: promised, bound, kept as spares, or taken back. */
public final class JobPlaces {
    private JobPlaces() {}

    /** The job waits for these places to be emptied. */
    public static void nominate(Draft draft, Job job, List<Allocation> places) {
        JobEdit edit = new JobEdit(draft, job);
        edit.status().setPhase(JobPhase.JOB_PHASE_NOMINATED).setReason("waits for its places to be emptied");
        edit.event(JobEventKind.JOB_EVENT_KIND_NOMINATED, places.size() + " places on " + nodes(places) + " nodes");
        edit.commit();
    }

    /**
     * The job has its places and runs, or has more of them: each allocation, HELD or NOMINATED before or just made, is BOUND to its task or
     * kept as a spare.
     */
    public static void bind(Draft draft, JobEntry entry, List<Allocation> places) {
        places.forEach(place ->
                task(entry, place).ifPresentOrElse(task -> bind(draft, task, place), () -> keepSpare(draft, place)));
        boolean grows = entry.job().getStatus().getPhase() == JobPhase.JOB_PHASE_RUNNING;
        JobEdit edit = new JobEdit(draft, entry.job());
        edit.status().setPhase(JobPhase.JOB_PHASE_RUNNING).setNotBeforeMillis(0).setReason("");
        if (grows) {
            edit.job().setGeneration(entry.job().getGeneration() + 1);
        }
        edit.event(
                grows ? JobEventKind.JOB_EVENT_KIND_GREW : JobEventKind.JOB_EVENT_KIND_ALLOCATED, words(entry, places));
        edit.commit();
    }

    private static Optional<Task> task(JobEntry entry, Allocation place) {
        return entry.task(place.getTask().getGroup(), place.getTask().getIndex());
    }

    private static void bind(Draft draft, Task task, Allocation place) {
        if (place.getState() != AllocationState.ALLOCATION_STATE_BOUND) {
            draft.move(place, AllocationState.ALLOCATION_STATE_BOUND, "");
        }
        Tasks.allocate(draft, task, place);
    }

    private static void keepSpare(Draft draft, Allocation place) {
        draft.put(place.toBuilder()
                .setState(AllocationState.ALLOCATION_STATE_HELD)
                .clearHold()
                .setChangedMillis(draft.timeMillis()));
    }

    private static String words(JobEntry entry, List<Allocation> places) {
        long tasks =
                places.stream().filter(place -> task(entry, place).isPresent()).count();
        long spares = places.size() - tasks;
        return tasks + " tasks on " + nodes(places) + " nodes"
                + (spares == 0 ? "" : ", with " + spares + " spare places");
    }

    /** The job keeps no spare places any more. */
    static void releaseSpares(Draft draft, String uid, String reason) {
        for (Allocation spare : draft.state().sparesOf(uid)) {
            draft.release(spare, reason);
        }
    }

    /** The promise is taken back: the job waits to be placed again, at once or when the tasks of this attempt are over. */
    public static void withdraw(Draft draft, String uid, String reason) {
        release(draft, uid, reason);
        JobEntry entry = draft.state().job(uid).orElseThrow();
        JobEdit edit = new JobEdit(draft, entry.job());
        if (entry.job().getStatus().getPhase() == JobPhase.JOB_PHASE_NOMINATED) {
            releaseSpares(draft, uid, reason);
            edit.status().setPhase(JobPhase.JOB_PHASE_PENDING).setReason("");
        }
        edit.event(JobEventKind.JOB_EVENT_KIND_WITHDRAWN, Tasks.cut(reason));
        edit.commit();
    }

    /** Only frees the places. */
    static void release(Draft draft, String uid, String reason) {
        for (Allocation nominated : draft.state().nominatedFor(uid)) {
            draft.release(nominated, reason);
        }
    }

    private static int nodes(List<Allocation> places) {
        TreeSet<String> nodes = new TreeSet<>();
        places.forEach(place -> nodes.add(place.getNode()));
        return nodes.size();
    }
}
