package io.surestate.statemachine.job;

import io.surestate.api.GroupSize;
import io.surestate.api.Limits;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobEventKind;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobStatus;
import io.surestate.api.v1.TaskGroup;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.SubmitJob;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;
import io.surestate.statemachine.state.Counts;
import java.util.Optional;
import java.util.TreeSet;

/** Takes a new job. The spec was validated and defaulted before; only what state depends on is checked again. */
public final class SubmitJobHandler {
    public Outcome decide(Draft draft, SubmitJob command) {
        Job asked = command.getJob();
        return refusal(draft, asked).orElseGet(() -> accept(draft, asked));
    }

    private static Optional<Outcome> refusal(Draft draft, Job job) {
        Optional<Outcome> shape = shapeProblem(job);
        if (shape.isPresent()) {
            return shape;
        }
        if (draft.state().liveJob(job.getTenant(), job.getName()).isPresent()) {
            return Optional.of(Outcomes.rejected(
                    ErrorCode.ERROR_CODE_ALREADY_EXISTS,
                    "name",
                    job.getName(),
                    "a name that no live job of tenant " + job.getTenant() + " has"));
        }
        Counts counts = draft.state().counts();
        if (counts.liveJobs() >= Limits.LIVE_JOBS_MAX) {
            return exhausted("live jobs", counts.liveJobs() + 1L, Limits.LIVE_JOBS_MAX);
        }
        long tasks = counts.liveTasks() + taskCount(job);
        return tasks > Limits.LIVE_TASKS_MAX ? exhausted("live tasks", tasks, Limits.LIVE_TASKS_MAX) : Optional.empty();
    }

    private static Optional<Outcome> shapeProblem(Job job) {
        TreeSet<String> names = new TreeSet<>();
        for (TaskGroup group : job.getSpec().getGroupsList()) {
            if (group.getCount() < 1 || group.getCount() > Limits.TASKS_PER_GROUP_MAX) {
                return invalid("count", Integer.toString(group.getCount()), "1 to " + Limits.TASKS_PER_GROUP_MAX);
            }
            Optional<Outcome> size = sizeProblem(group);
            if (size.isPresent()) {
                return size;
            }
            if (!names.add(group.getName())) {
                return invalid("groups", group.getName(), "each name once");
            }
        }
        if (names.isEmpty() || names.size() > Limits.GROUPS_PER_JOB_MAX) {
            return invalid("groups", names.size() + " of them", "1 to " + Limits.GROUPS_PER_JOB_MAX);
        }
        return taskCount(job) > Limits.TASKS_PER_JOB_MAX
                ? invalid("tasks", Long.toString(taskCount(job)), "at most " + Limits.TASKS_PER_JOB_MAX)
                : Optional.empty();
    }

    private static Optional<Outcome> sizeProblem(TaskGroup group) {
        int min = GroupSize.min(group);
        if (min < 1 || min > group.getCount()) {
            return invalid("minCount", Integer.toString(group.getMinCount()), "1 to the count, " + group.getCount());
        }
        int target = GroupSize.target(group);
        if (target < min || target > group.getCount()) {
            return invalid("targetCount", Integer.toString(target), min + " to the count, " + group.getCount());
        }
        return group.getSpares() < 0 || group.getSpares() > Limits.SPARES_PER_GROUP_MAX
                ? invalid("spares", Integer.toString(group.getSpares()), "0 to " + Limits.SPARES_PER_GROUP_MAX)
                : Optional.empty();
    }

    private static Outcome accept(Draft draft, Job asked) {
        Job job = Job.newBuilder()
                .setName(asked.getName())
                .setTenant(asked.getTenant())
                .setPrincipal(asked.getPrincipal())
                .setSpec(asked.getSpec())
                .setUid(draft.nextId())
                .setGeneration(1)
                .setCreatedMillis(draft.timeMillis())
                .setStatus(JobStatus.newBuilder()
                        .setPhase(JobPhase.JOB_PHASE_PENDING)
                        .setAttempt(1))
                .build();
        JobEdit edit = new JobEdit(draft, job);
        edit.event(JobEventKind.JOB_EVENT_KIND_SUBMITTED, taskCount(job) + " tasks");
        Job done = edit.commit();
        for (TaskGroup group : job.getSpec().getGroupsList()) {
            for (int i = 0; i < group.getCount(); i++) {
                draft.put(Tasks.pending(job.getUid(), group.getName(), i, 1));
            }
        }
        return Outcomes.job(done);
    }

    private static long taskCount(Job job) {
        return job.getSpec().getGroupsList().stream()
                .mapToLong(TaskGroup::getCount)
                .sum();
    }

    private static Optional<Outcome> invalid(String field, String value, String expected) {
        return Optional.of(Outcomes.rejected(ErrorCode.ERROR_CODE_INVALID_ARGUMENT, field, value, expected));
    }

    private static Optional<Outcome> exhausted(String what, long value, long most) {
        return Optional.of(Outcomes.rejected(
                ErrorCode.ERROR_CODE_RESOURCE_EXHAUSTED, what, Long.toString(value), "at most " + most));
    }
}
