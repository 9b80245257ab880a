package io.surestate.cli.job;

import io.surestate.api.EffectiveTime;
import io.surestate.api.GroupSize;
import io.surestate.api.v1.GetJobResponse;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobStatus;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskState;
import io.surestate.cli.output.Ages;
import io.surestate.cli.output.Table;
import io.surestate.manifest.dialect.EnumNames;
import java.util.stream.Collectors;

/** A job as people want to see it. */
final class JobView {
    private final Ages ages;

    JobView(Ages ages) {
        this.ages = ages;
    }

    String show(GetJobResponse reply) {
        Job job = reply.getJob();
        JobStatus status = job.getStatus();
        Table head = new Table()
                .row("Name:", job.getName())
                .row("Tenant:", job.getTenant())
                .row("Uid:", job.getUid())
                .row("Type:", EnumNames.shortName(job.getSpec().getType().getValueDescriptor()))
                .row("Phase:", EnumNames.shortName(status.getPhase().getValueDescriptor()))
                .pair("Reason:", status.getReason())
                .pair("Waits for:", reply.getPendingReason())
                .pair("Next attempt:", ages.until(status.getNotBeforeMillis()))
                .row("Attempt:", attempt(job))
                .pair("Size:", size(reply))
                .pair("Spares:", spares(reply))
                .pair("Checkpoint:", checkpoint(status))
                .row("Age:", ages.since(job.getCreatedMillis()))
                .pair("Ran for:", ages.between(status.getStartedMillis(), status.getFinishedMillis()))
                .pair("Effective:", effective(status));
        return head + (reply.getTasksCount() == 0 ? "" : "\n" + tasks(reply));
    }

    /** How much of the time since the first start was of use; empty for a job that never started. */
    private String effective(JobStatus status) {
        EffectiveTime time = ages.effective(status);
        return status.getStartedMillis() == 0
                ? ""
                : time.milli() / 10 + "." + time.milli() % 10 + " % of the time, "
                        + Ages.length(time.productiveMillis()) + " of " + Ages.length(time.availableMillis());
    }

    /** Of groups that may be larger or smaller. */
    private static String size(GetJobResponse reply) {
        return reply.getJob().getSpec().getGroupsList().stream()
                .filter(GroupSize::elastic)
                .map(group -> {
                    long joined = reply.getTasksList().stream()
                            .filter(task -> task.getGroup().equals(group.getName()) && !task.getLeaving())
                            .filter(task -> task.getState() != TaskState.TASK_STATE_PENDING)
                            .count();
                    return group.getName() + " " + joined + " of " + GroupSize.target(group) + ", at least "
                            + GroupSize.min(group);
                })
                .collect(Collectors.joining("; "));
    }

    private static String spares(GetJobResponse reply) {
        int wanted = reply.getJob().getSpec().getGroupsList().stream()
                .mapToInt(GroupSize::spares)
                .sum();
        return wanted == 0 ? "" : reply.getSparesKept() + " of " + wanted + " places kept";
    }

    private static String attempt(Job job) {
        JobStatus status = job.getStatus();
        StringBuilder text = new StringBuilder().append(status.getAttempt());
        if (status.getFailures() > 0) {
            text.append(", failed ")
                    .append(status.getFailures())
                    .append(" of at most ")
                    .append(Math.max(1, job.getSpec().getRetry().getMaxAttempts()))
                    .append(" times");
        }
        return text
                + times(", failed with an ignored exit code ", status.getIgnoredFailures())
                + times(", lost a node ", status.getNodeLosses())
                + times(", preempted ", status.getPreemptions())
                + times(", moved ", status.getMoves());
    }

    /** Nothing for none. */
    private static String times(String what, int times) {
        return times == 0 ? "" : what + times + (times == 1 ? " time" : " times");
    }

    private String checkpoint(JobStatus status) {
        return status.hasCheckpoint()
                ? "step " + status.getCheckpoint().getStep() + ", "
                        + ages.since(status.getCheckpoint().getCommittedMillis()) + " ago"
                : "";
    }

    private String tasks(GetJobResponse reply) {
        Table table = new Table("TASK", "ATTEMPT", "STATE", "NODE", "PID", "STEP", "EXIT", "TIME", "REASON");
        for (Task task : reply.getTasksList()) {
            table.row(
                    task.getGroup() + "/" + task.getIndex(),
                    task.getAttempt(),
                    EnumNames.shortName(task.getState().getValueDescriptor()),
                    task.getNode(),
                    task.getPid() == 0 ? "" : task.getPid(),
                    task.getCheckpointStep() == 0 ? "" : task.getCheckpointStep(),
                    exit(task),
                    ages.between(task.getStartedMillis(), task.getFinishedMillis()),
                    task.getReason());
        }
        return table.toString();
    }

    private static String exit(Task task) {
        if (task.getSignal() != 0) {
            return "signal " + task.getSignal();
        }
        return switch (task.getState()) {
            case TASK_STATE_SUCCEEDED -> Integer.toString(task.getExitCode());
            // A failed task with neither a code nor a signal: how it ended is not known.
            case TASK_STATE_FAILED -> task.getExitCode() == 0 ? "" : Integer.toString(task.getExitCode());
            default -> "";
        };
    }
}
