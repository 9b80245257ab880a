package io.surestate.testkit.cluster;

import io.surestate.api.v1.CancelJobRequest;
import io.surestate.api.v1.CancelJobResponse;
import io.surestate.api.v1.CheckpointPolicy;
import io.surestate.api.v1.ClusterGrpc;
import io.surestate.api.v1.CordonNodeRequest;
import io.surestate.api.v1.EnvVar;
import io.surestate.api.v1.GetDigestRequest;
import io.surestate.api.v1.GetDigestResponse;
import io.surestate.api.v1.GetJobRequest;
import io.surestate.api.v1.GetJobResponse;
import io.surestate.api.v1.GetNodeRequest;
import io.surestate.api.v1.GetNodeResponse;
import io.surestate.api.v1.GetStatusRequest;
import io.surestate.api.v1.GetStatusResponse;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobEvent;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.api.v1.ListJobEventsRequest;
import io.surestate.api.v1.ListJobsRequest;
import io.surestate.api.v1.ListNodesRequest;
import io.surestate.api.v1.ListNodesResponse;
import io.surestate.api.v1.NodeState;
import io.surestate.api.v1.NodesGrpc;
import io.surestate.api.v1.RequestHeader;
import io.surestate.api.v1.Resources;
import io.surestate.api.v1.RetryPolicy;
import io.surestate.api.v1.SubmitJobRequest;
import io.surestate.api.v1.SubmitJobResponse;
import io.surestate.api.v1.TaskGroup;
import io.surestate.api.v1.UncordonNodeRequest;
import io.surestate.client.ClusterClient;
import io.surestate.client.Endpoint;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** The calls that tests make, with the least said. */
public final class Api implements AutoCloseable {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final ClusterClient client;

    public Api(List<Endpoint> servers) {
        client = new ClusterClient(servers, new Random());
    }

    public static Api of(ClusterLayout layout) {
        return new Api(layout.endpoints());
    }

    public ClusterClient client() {
        return client;
    }

    /** One group of tasks that run a shell command. */
    public static Job shellJob(String name, int count, String command) {
        return Job.newBuilder()
                .setName(name)
                .setSpec(JobSpec.newBuilder()
                        .addGroups(TaskGroup.newBuilder()
                                .setName("worker")
                                .setCount(count)
                                .setResources(Resources.newBuilder()
                                        .setCpuMillicores(100)
                                        .setMemoryBytes(16 << 20))
                                .addAllCommand(List.of("sh", "-c", command)))
                        .setRetry(RetryPolicy.newBuilder().setMaxAttempts(3).setBackoffMillis(200)))
                .build();
    }

    /** As {@link #shellJob}, publishing checkpoints. */
    public static Job checkpointedJob(String name, int count, String command, String env, String value) {
        Job job = shellJob(name, count, command);
        TaskGroup group = job.getSpec().getGroups(0).toBuilder()
                .addEnv(EnvVar.newBuilder().setName(env).setValue(value))
                .build();
        return job.toBuilder()
                .setSpec(job.getSpec().toBuilder()
                        .setGroups(0, group)
                        .setCheckpoint(CheckpointPolicy.newBuilder().setIntervalMillis(500)))
                .build();
    }

    public SubmitJobResponse submit(Job job) {
        return submit(job, UUID.randomUUID().toString());
    }

    public SubmitJobResponse submit(Job job, String requestId) {
        return client.call(
                JobsGrpc.getSubmitJobMethod(),
                SubmitJobRequest.newBuilder()
                        .setHeader(RequestHeader.newBuilder().setRequestId(requestId))
                        .setJob(job)
                        .build(),
                TIMEOUT);
    }

    public GetJobResponse job(String name) {
        return client.call(
                JobsGrpc.getGetJobMethod(),
                GetJobRequest.newBuilder().setJob(name).build(),
                TIMEOUT);
    }

    /** Live jobs; few enough for one page. */
    public List<Job> jobs() {
        return client.call(JobsGrpc.getListJobsMethod(), ListJobsRequest.getDefaultInstance(), TIMEOUT)
                .getJobsList();
    }

    public CancelJobResponse cancel(String job) {
        return client.call(
                JobsGrpc.getCancelJobMethod(),
                CancelJobRequest.newBuilder()
                        .setHeader(RequestHeader.newBuilder()
                                .setRequestId(UUID.randomUUID().toString()))
                        .setJob(job)
                        .build(),
                TIMEOUT);
    }

    public List<JobEvent> events(String name) {
        return client.call(
                        JobsGrpc.getListJobEventsMethod(),
                        ListJobEventsRequest.newBuilder().setJob(name).build(),
                        TIMEOUT)
                .getEventsList();
    }

    public ListNodesResponse nodes() {
        return client.call(NodesGrpc.getListNodesMethod(), ListNodesRequest.getDefaultInstance(), TIMEOUT);
    }

    /** What is on the node moves away; what has no other place stays so long, 0 = as long as it runs. */
    public void drain(String node, long deadlineAfterMillis) {
        client.call(
                NodesGrpc.getCordonNodeMethod(),
                CordonNodeRequest.newBuilder()
                        .setHeader(RequestHeader.newBuilder()
                                .setRequestId(UUID.randomUUID().toString()))
                        .setName(node)
                        .setReason("kernel upgrade")
                        .setDrain(true)
                        .setDeadlineAfterMillis(deadlineAfterMillis)
                        .build(),
                TIMEOUT);
    }

    /** The drain is over. */
    public void undrain(String node) {
        client.call(
                NodesGrpc.getUncordonNodeMethod(),
                UncordonNodeRequest.newBuilder()
                        .setHeader(RequestHeader.newBuilder()
                                .setRequestId(UUID.randomUUID().toString()))
                        .setName(node)
                        .setDrain(true)
                        .build(),
                TIMEOUT);
    }

    /** A node with what a drain waits for. */
    public GetNodeResponse node(String name) {
        return client.call(
                NodesGrpc.getGetNodeMethod(),
                GetNodeRequest.newBuilder().setName(name).build(),
                TIMEOUT);
    }

    /** How many nodes are READY. */
    public long readyNodes() {
        return nodes().getNodesList().stream()
                .filter(node -> node.getStatus().getState() == NodeState.NODE_STATE_READY)
                .count();
    }

    public GetStatusResponse status() {
        return client.call(ClusterGrpc.getGetStatusMethod(), GetStatusRequest.getDefaultInstance(), TIMEOUT);
    }

    /** The digest of the server that this client talks to; 0 = at its newest revision. */
    public GetDigestResponse digest(long revision) {
        return client.call(
                ClusterGrpc.getGetDigestMethod(),
                GetDigestRequest.newBuilder().setRevision(revision).build(),
                TIMEOUT);
    }

    @Override
    public void close() {
        client.close();
    }
}
