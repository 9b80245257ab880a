package io.surestate.statemachine.job;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobEventKind;
import io.surestate.api.v1.JobPhase;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.state.JobEntry;
import java.util.List;
import java.util.TreeSet;

/** A job's way through its places: promised, bound, or taken back. */
public final class JobNominations {
    private JobNominations() {}

    /** The job waits for these places to be emptied. */
    public static void nominate(Draft draft, Job job, List<Allocation> places) {
        JobEdit edit = new JobEdit(draft, job);
        edit.status().setPhase(JobPhase.JOB_PHASE_NOMINATED).setReason("waits for its places to be emptied");
        edit.event(JobEventKind.JOB_EVENT_KIND_NOMINATED, places.size() + " places on " + nodes(places) + " nodes");
        edit.commit();
    }

    /** The job has its places and runs: each allocation, HELD or NOMINATED before or just made, is BOUND to its task. */
    public static void bind(Draft draft, JobEntry entry, List<Allocation> places) {
        for (Allocation place : places) {
            if (place.getState() != AllocationState.ALLOCATION_STATE_BOUND) {
                draft.move(place, AllocationState.ALLOCATION_STATE_BOUND, "");
            }
            Tasks.allocate(
                    draft,
                    entry.task(place.getTask().getGroup(), place.getTask().getIndex())
                            .orElseThrow(),
                    place);
        }
        JobEdit edit = new JobEdit(draft, entry.job());
        edit.status().setPhase(JobPhase.JOB_PHASE_RUNNING).setNotBeforeMillis(0).setReason("");
        edit.event(JobEventKind.JOB_EVENT_KIND_ALLOCATED, places.size() + " tasks on " + nodes(places) + " nodes");
        edit.commit();
    }

    /** The promise is taken back: the job waits to be placed again. */
    public static void withdraw(Draft draft, String uid, String reason) {
        release(draft, uid, reason);
        JobEntry entry = draft.state().job(uid).orElseThrow();
        JobEdit edit = new JobEdit(draft, entry.job());
        edit.status().setPhase(JobPhase.JOB_PHASE_PENDING).setReason("");
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
