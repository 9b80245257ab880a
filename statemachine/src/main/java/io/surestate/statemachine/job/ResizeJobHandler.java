package io.surestate.statemachine.job;

import io.surestate.api.GroupSize;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobEventKind;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.TaskGroup;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.ResizeJob;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;
import io.surestate.statemachine.state.JobEntry;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Sets how many tasks of an elastic group are wanted: what is too much is stopped and leaves, what is missing joins by later plans. */
public final class ResizeJobHandler {
    public Outcome decide(Draft draft, ResizeJob command) {
        Optional<JobEntry> found = LiveJobs.find(draft.state(), command.getTenant(), command.getJob());
        if (found.isEmpty()) {
            return LiveJobs.notFound(draft, command.getTenant(), command.getJob());
        }
        JobEntry entry = found.get();
        Optional<TaskGroup> group = meant(entry.job(), command.getGroup());
        return LiveJobs.generationProblem(entry.job(), command.getExpectedGeneration())
                .or(() -> phaseProblem(entry.job()))
                .or(() -> groupProblem(entry.job(), group, command.getGroup()))
                .or(() -> countProblem(group.orElseThrow(), command.getCount()))
                .orElseGet(() -> resize(draft, entry, group.orElseThrow(), command.getCount()));
    }

    private static Optional<TaskGroup> meant(Job job, String name) {
        List<TaskGroup> candidates = job.getSpec().getGroupsList().stream()
                .filter(group -> name.isEmpty()
                        ? GroupSize.elastic(group)
                        : group.getName().equals(name))
                .toList();
        return candidates.size() == 1 ? Optional.of(candidates.get(0)) : Optional.empty();
    }

    private static Optional<Outcome> phaseProblem(Job job) {
        JobPhase phase = job.getStatus().getPhase();
        boolean ends = phase == JobPhase.JOB_PHASE_CANCELLING || phase == JobPhase.JOB_PHASE_FAILING;
        return ends
                ? Optional.of(Outcomes.rejected(
                        ErrorCode.ERROR_CODE_ILLEGAL_STATE,
                        "job phase",
                        phase.name().replace("JOB_PHASE_", ""),
                        "one in which the job goes on"))
                : Optional.empty();
    }

    private static Optional<Outcome> groupProblem(Job job, Optional<TaskGroup> group, String asked) {
        if (group.filter(GroupSize::elastic).isPresent()) {
            return Optional.empty();
        }
        List<String> elastic = job.getSpec().getGroupsList().stream()
                .filter(GroupSize::elastic)
                .map(TaskGroup::getName)
                .toList();
        return Optional.of(Outcomes.rejected(
                ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                "group",
                asked,
                elastic.isEmpty()
                        ? "a job with a group that has a minCount below its count; this one has none"
                        : "one that has a minCount below its count: " + String.join(", ", elastic)));
    }

    private static Optional<Outcome> countProblem(TaskGroup group, int count) {
        int slice = Math.max(1, group.getTopology().getSliceTasks());
        boolean good = count >= GroupSize.min(group) && count <= group.getCount() && count % slice == 0;
        return good
                ? Optional.empty()
                : Optional.of(Outcomes.rejected(
                        ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                        "count",
                        Integer.toString(count),
                        GroupSize.min(group) + " to " + group.getCount()
                                + (slice == 1 ? "" : ", whole slices of " + slice)));
    }

    private static Outcome resize(Draft draft, JobEntry entry, TaskGroup group, int count) {
        Job job = entry.job();
        if (GroupSize.target(group) == count) {
            return Outcomes.job(job);
        }
        if (!draft.state().nominatedFor(job.getUid()).isEmpty()) {
            JobPlaces.withdraw(draft, job.getUid(), "another number of tasks is wanted");
        }
        TaskGroup resized = group.toBuilder().setTargetCount(count).build();
        int at = IntStream.range(0, job.getSpec().getGroupsCount())
                .filter(i -> job.getSpec().getGroups(i).getName().equals(group.getName()))
                .findFirst()
                .orElseThrow();
        JobEdit edit =
                new JobEdit(draft, draft.state().job(job.getUid()).orElseThrow().job());
        edit.job().setGeneration(job.getGeneration() + 1);
        edit.job().getSpecBuilder().setGroups(at, resized);
        edit.event(
                JobEventKind.JOB_EVENT_KIND_RESIZED,
                "group " + group.getName() + ": from " + GroupSize.target(group) + " to " + count + " tasks");
        edit.commit();
        JobEntry now = draft.state().job(job.getUid()).orElseThrow();
        if (now.job().getStatus().getPhase() == JobPhase.JOB_PHASE_RUNNING) {
            Members.shrink(draft, now, resized, "the gang becomes smaller");
        }
        return Outcomes.job(draft.state().job(job.getUid()).orElseThrow().job());
    }
}
