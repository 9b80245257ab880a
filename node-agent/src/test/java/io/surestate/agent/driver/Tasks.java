package io.surestate.agent.driver;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.CheckpointPolicy;
import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.EnvVar;
import io.surestate.api.v1.LeaseEnd;
import io.surestate.api.v1.TaskGroup;
import io.surestate.api.v1.TaskRef;
import java.util.List;

/** Desired tasks for tests: one group {@code worker} of job {@code j}, the member's index from the allocation's number. */
public final class Tasks {
    private Tasks() {}

    public static DesiredTask shell(int number, String script) {
        return command(number, List.of("sh", "-c", script));
    }

    public static DesiredTask command(int number, List<String> command) {
        return DesiredTask.newBuilder()
                .setAllocation(Allocation.newBuilder()
                        .setId("a-" + number)
                        .setEpoch(100 + number)
                        .setState(AllocationState.ALLOCATION_STATE_BOUND)
                        .setTask(TaskRef.newBuilder()
                                .setJobUid("7-0")
                                .setGroup("worker")
                                .setIndex(number)
                                .setAttempt(1)))
                .setJobName("j")
                .setTenant("default")
                .setGroup(TaskGroup.newBuilder().setName("worker").setCount(4).addAllCommand(command))
                .setOnLeaseEnd(LeaseEnd.LEASE_END_KEEP)
                .setGraceMillis(500)
                .build();
    }

    public static DesiredTask withEnv(DesiredTask task, String name, String value) {
        DesiredTask.Builder builder = task.toBuilder();
        builder.getGroupBuilder().addEnv(EnvVar.newBuilder().setName(name).setValue(value));
        return builder.build();
    }

    public static DesiredTask stopsAtLeaseEnd(DesiredTask task) {
        return task.toBuilder().setOnLeaseEnd(LeaseEnd.LEASE_END_STOP).build();
    }

    public static DesiredTask withCheckpoints(DesiredTask task, long resumeStep) {
        return task.toBuilder()
                .setCheckpoint(CheckpointPolicy.newBuilder().setIntervalMillis(100))
                .setResumeStep(resumeStep)
                .build();
    }
}
