package io.surestate.cli;

import io.surestate.api.v1.Checkpoint;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.Domain;
import io.surestate.api.v1.EnvVar;
import io.surestate.api.v1.GetJobResponse;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobEvent;
import io.surestate.api.v1.JobEventKind;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.JobStatus;
import io.surestate.api.v1.JobType;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.NodeState;
import io.surestate.api.v1.NodeStatus;
import io.surestate.api.v1.NodeUsage;
import io.surestate.api.v1.NumaNode;
import io.surestate.api.v1.Resources;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskGroup;
import io.surestate.api.v1.TaskState;
import java.util.List;

/** What the fake cluster shows. */
public final class Samples {
    /** When everything was created. */
    public static final long BIRTH = 1_790_000_000_000L;

    private Samples() {}

    public static Job job() {
        return Job.newBuilder()
                .setName("count-up")
                .setTenant("default")
                .setUid("1f-0")
                .setGeneration(1)
                .setCreatedMillis(BIRTH)
                .setSpec(JobSpec.newBuilder()
                        .setType(JobType.JOB_TYPE_AI_TRAINING)
                        .addGroups(TaskGroup.newBuilder()
                                .setName("worker")
                                .setCount(2)
                                .setResources(Resources.newBuilder()
                                        .setCpuMillicores(500)
                                        .setMemoryBytes(128L << 20))
                                .addAllCommand(List.of("sh", "-c", "echo 1"))
                                .addEnv(EnvVar.newBuilder().setName("TARGET").setValue("20"))))
                .setStatus(JobStatus.newBuilder()
                        .setPhase(JobPhase.JOB_PHASE_RUNNING)
                        .setAttempt(2)
                        .setNodeLosses(1)
                        .setStartedMillis(BIRTH + 5_000)
                        .setCheckpoint(
                                Checkpoint.newBuilder().setStep(8).setAttempt(1).setCommittedMillis(BIRTH + 55_000)))
                .build();
    }

    public static Job finishedJob() {
        return ended(JobPhase.JOB_PHASE_FAILED, "worker/1 exited with 3").getJob();
    }

    /** The running job with its tasks. */
    public static GetJobResponse running() {
        return GetJobResponse.newBuilder()
                .setJob(job())
                .addTasks(task(0, TaskState.TASK_STATE_RUNNING))
                .addTasks(task(1, TaskState.TASK_STATE_SUCCEEDED))
                .build();
    }

    /** The same job, over. */
    public static GetJobResponse ended(JobPhase phase, String reason) {
        Job.Builder job = job().toBuilder();
        job.getStatusBuilder().setPhase(phase).setReason(reason).setFinishedMillis(BIRTH + 65_000);
        return running().toBuilder().setJob(job).build();
    }

    /** The first task failed nobody knows how, the second with code 3. */
    static GetJobResponse tasksFailed() {
        return GetJobResponse.newBuilder()
                .setJob(job())
                .addTasks(task(0, TaskState.TASK_STATE_FAILED))
                .addTasks(task(1, TaskState.TASK_STATE_FAILED).toBuilder().setExitCode(3))
                .build();
    }

    private static Task task(int index, TaskState state) {
        return Task.newBuilder()
                .setJobUid("1f-0")
                .setGroup("worker")
                .setIndex(index)
                .setAttempt(2)
                .setState(state)
                .setNode("node-a")
                .setPid(100 + index)
                .setStartedMillis(BIRTH + 50_000)
                .build();
    }

    static JobEvent event() {
        return JobEvent.newBuilder()
                .setRevision(31)
                .setTimeMillis(BIRTH)
                .setKind(JobEventKind.JOB_EVENT_KIND_SUBMITTED)
                .setAttempt(1)
                .setMessage("2 tasks")
                .build();
    }

    static Node node() {
        NodeSpec.Builder spec = NodeSpec.newBuilder()
                .addDomains(Domain.newBuilder().setLevel("rack").setName("r7"))
                .addNuma(
                        NumaNode.newBuilder().addAllCoreIds(List.of(0, 1, 2, 5)).setMemoryBytes(8L << 30));
        for (int ordinal = 0; ordinal < 2; ordinal++) {
            spec.addDevices(Device.newBuilder()
                    .setOrdinal(ordinal)
                    .setKind(DeviceKind.DEVICE_KIND_GPU)
                    .setModel("H100")
                    .setMemoryBytes(80L << 30));
        }
        return Node.newBuilder()
                .setName("node-a")
                .setSpec(spec)
                .setStatus(NodeStatus.newBuilder().setState(NodeState.NODE_STATE_READY))
                .build();
    }

    static NodeUsage usage() {
        return NodeUsage.newBuilder()
                .setCpuMillicoresTotal(4_000)
                .setCpuMillicoresFree(3_500)
                .setMemoryBytesTotal(8L << 30)
                .setMemoryBytesFree(0)
                .setDevicesTotal(2)
                .setDevicesFree(1)
                .setAllocations(1)
                .build();
    }
}
