package io.surestate.server.job;

import io.surestate.api.Names;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskRef;
import io.surestate.server.api.Refused;
import io.surestate.statemachine.StateView;
import io.surestate.statemachine.state.JobEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds a job by name or uid, live or finished. */
final class JobLookup {
    private JobLookup() {}

    /**
     * A job with the tasks of its last attempt.
     *
     * @param live false = read from history
     */
    record Found(Job job, List<Task> tasks, boolean live) {}

    static Found find(StateView view, String tenant, String nameOrUid) {
        return live(view, tenant, nameOrUid)
                .map(entry -> new Found(entry.job(), List.copyOf(entry.tasks()), true))
                .or(() -> finished(view, tenant, nameOrUid))
                .orElseThrow(() -> Refused.of(
                        ErrorCode.ERROR_CODE_NOT_FOUND,
                        Names.message("job", nameOrUid, "name or uid of a job of tenant " + tenant)));
    }

    private static Optional<JobEntry> live(StateView view, String tenant, String nameOrUid) {
        return view.state()
                .liveJob(tenant, nameOrUid)
                .or(() -> view.state()
                        .job(nameOrUid)
                        .filter(entry -> entry.job().getTenant().equals(tenant)));
    }

    private static Optional<Found> finished(StateView view, String tenant, String nameOrUid) {
        return view.history()
                .latest(tenant, nameOrUid)
                .or(() -> view.history()
                        .job(nameOrUid)
                        .filter(job -> job.getTenant().equals(tenant)))
                .map(job -> new Found(job, lastTasks(view, job), false));
    }

    /** Tasks of the last attempt, in the order of the spec. */
    private static List<Task> lastTasks(StateView view, Job job) {
        TaskRef before = TaskRef.newBuilder()
                .setJobUid(job.getUid())
                .setAttempt(job.getStatus().getAttempt())
                .build();
        int limit = job.getSpec().getGroupsList().stream()
                .mapToInt(group -> group.getCount())
                .sum();
        List<Task> archived = view.history().tasks(job.getUid(), before, limit);
        List<Task> ordered = new ArrayList<>(archived.size());
        job.getSpec()
                .getGroupsList()
                .forEach(group -> archived.stream()
                        .filter(task -> task.getGroup().equals(group.getName()))
                        .forEach(ordered::add));
        return ordered;
    }

    /** One task of an attempt; attempt 0 = the last. */
    static Task task(StateView view, Found found, String group, int index, int attempt) {
        int wanted = attempt == 0 ? found.job().getStatus().getAttempt() : attempt;
        return found.tasks().stream()
                .filter(task -> matches(task, group, index, wanted))
                .findFirst()
                .or(() -> archived(view, found.job(), group, index, wanted))
                .orElseThrow(() -> Refused.of(
                        ErrorCode.ERROR_CODE_NOT_FOUND,
                        "task: " + group + "/" + index + " of attempt " + wanted + " (expected: a task of job "
                                + found.job().getName() + ")"));
    }

    private static Optional<Task> archived(StateView view, Job job, String group, int index, int attempt) {
        TaskRef before = TaskRef.newBuilder()
                .setJobUid(job.getUid())
                .setAttempt(attempt)
                .setGroup(group)
                .setIndex(index - 1)
                .build();
        return view.history().tasks(job.getUid(), before, 1).stream()
                .filter(task -> matches(task, group, index, attempt))
                .findFirst();
    }

    private static boolean matches(Task task, String group, int index, int attempt) {
        return task.getGroup().equals(group) && task.getIndex() == index && task.getAttempt() == attempt;
    }
}
