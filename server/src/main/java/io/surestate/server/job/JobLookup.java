package io.surestate.server.job;

import io.surestate.api.GroupSize;
import io.surestate.api.Names;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskGroup;
import io.surestate.api.v1.TaskRef;
import io.surestate.server.api.Refused;
import io.surestate.statemachine.StateView;
import io.surestate.statemachine.state.JobEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/** Finds a job by name or uid, live or finished. */
final class JobLookup {
    private static final int ARCHIVED_MAX = 100_000;

    private JobLookup() {}

    /**
     * A job with the last attempt of each of its tasks.
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

    /** The last attempt of each task, in the order of the spec; an elastic gang's members may have joined at different ones. */
    private static List<Task> lastTasks(StateView view, Job job) {
        boolean elastic = job.getSpec().getGroupsList().stream().anyMatch(GroupSize::elastic);
        int count = job.getSpec().getGroupsList().stream()
                .mapToInt(TaskGroup::getCount)
                .sum();
        TaskRef before = TaskRef.newBuilder()
                .setJobUid(job.getUid())
                .setAttempt(elastic ? 0 : job.getStatus().getAttempt())
                .build();
        Map<String, Task> last = new TreeMap<>();
        view.history()
                .tasks(job.getUid(), before, elastic ? ARCHIVED_MAX : count)
                .forEach(task -> last.put(task.getGroup() + "/" + task.getIndex(), task));
        List<Task> ordered = new ArrayList<>(last.size());
        for (TaskGroup group : job.getSpec().getGroupsList()) {
            IntStream.range(0, group.getCount())
                    .mapToObj(index -> group.getName() + "/" + index)
                    .filter(last::containsKey)
                    .forEach(label -> ordered.add(last.get(label)));
        }
        return ordered;
    }

    /** One task of an attempt; attempt 0 = its last. */
    static Task task(StateView view, Found found, String group, int index, int attempt) {
        return found.tasks().stream()
                .filter(task -> task.getGroup().equals(group) && task.getIndex() == index)
                .filter(task -> attempt == 0 || task.getAttempt() == attempt)
                .findFirst()
                .or(() -> archived(view, found.job(), group, index, attempt))
                .orElseThrow(() -> Refused.of(
                        ErrorCode.ERROR_CODE_NOT_FOUND,
                        "task: " + group + "/" + index + (attempt == 0 ? "" : " of attempt " + attempt)
                                + " (expected: a task of job " + found.job().getName() + ")"));
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
