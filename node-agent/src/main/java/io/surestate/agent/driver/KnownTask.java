package io.surestate.agent.driver;

import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.TaskReport;

/**
 * A task that exists on the node or ended here and is not forgotten yet.
 *
 * @param desired what it was started from; with a lost journal only its allocation id, epoch and task
 * @param report what is true of it now
 */
public record KnownTask(DesiredTask desired, TaskReport report) {
    public String allocationId() {
        return report.getAllocationId();
    }

    /** Its process tree is proven empty; nothing of it will ever run again. */
    public boolean ended() {
        return TaskStates.isFinal(report.getState());
    }
}
