package io.surestate.statemachine.job;

import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.Task;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.state.JobEntry;
import java.util.List;
import java.util.TreeSet;

/** How a running gang leaves places on which it must not stay: a planned stop, which costs no attempt. */
public final class Departure {
    private Departure() {}

    /**
     * The tasks leave and the gang goes on without them, or it goes on with spare places for them.
     *
     * @param tasks of one running gang, with places; not empty
     * @return false = neither can be, and nothing changed
     */
    public static boolean withoutNewPlaces(Draft draft, List<Task> tasks, String reason) {
        return leave(draft, tasks, reason) || swap(draft, tasks, reason);
    }

    /** The gang is stopped whole, its spare places are given up; where it goes on is for others to say. */
    public static void whole(Draft draft, String uid, String reason) {
        Gang.move(draft, entry(draft, uid).job(), reason);
        JobPlaces.releaseSpares(draft, uid, "the gang moves");
    }

    /** The tasks leave their places now, one way or another. A gang that is being stopped already is left alone. */
    public static void now(Draft draft, List<Task> tasks, String reason) {
        String uid = tasks.get(0).getJobUid();
        boolean runs = entry(draft, uid).job().getStatus().getPhase() == JobPhase.JOB_PHASE_RUNNING;
        if (runs && !withoutNewPlaces(draft, tasks, reason)) {
            whole(draft, uid, reason);
        }
    }

    private static boolean leave(Draft draft, List<Task> tasks, String reason) {
        Draft branch = draft.branch();
        for (Task task : tasks) {
            if (!Members.canDoWithout(entry(branch, task.getJobUid()), task)) {
                return false;
            }
            Members.leave(branch, task, Tasks.cut("moves: " + reason));
        }
        draft.take(branch);
        return true;
    }

    private static boolean swap(Draft draft, List<Task> tasks, String reason) {
        String uid = tasks.get(0).getJobUid();
        TreeSet<String> going = new TreeSet<>();
        tasks.forEach(task -> going.add(Tasks.label(task)));
        Draft branch = draft.branch();
        Gang.move(branch, entry(branch, uid).job(), reason);
        boolean whole = SpareSwap.promise(branch, uid, task -> going.contains(Tasks.label(task)));
        if (whole) {
            draft.take(branch);
        }
        return whole;
    }

    private static JobEntry entry(Draft draft, String uid) {
        return draft.state().job(uid).orElseThrow();
    }
}
