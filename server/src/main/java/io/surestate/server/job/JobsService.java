package io.surestate.server.job;

import io.grpc.CallOptions;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.surestate.api.Limits;
import io.surestate.api.v1.CancelJobRequest;
import io.surestate.api.v1.CancelJobResponse;
import io.surestate.api.v1.ExecRequest;
import io.surestate.api.v1.ExecResponse;
import io.surestate.api.v1.GetJobRequest;
import io.surestate.api.v1.GetJobResponse;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.api.v1.ListJobEventsRequest;
import io.surestate.api.v1.ListJobEventsResponse;
import io.surestate.api.v1.ListJobsRequest;
import io.surestate.api.v1.ListJobsResponse;
import io.surestate.api.v1.OutputRequest;
import io.surestate.api.v1.ReadOptions;
import io.surestate.api.v1.ReadOutputRequest;
import io.surestate.api.v1.ReadOutputResponse;
import io.surestate.api.v1.ResizeJobRequest;
import io.surestate.api.v1.ResizeJobResponse;
import io.surestate.api.v1.SubmitJobRequest;
import io.surestate.api.v1.SubmitJobResponse;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskRef;
import io.surestate.log.v1.CancelJob;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.ResizeJob;
import io.surestate.log.v1.SubmitJob;
import io.surestate.server.api.ApiContext;
import io.surestate.server.api.Authorizer;
import io.surestate.server.api.Authorizer.Action;
import io.surestate.server.api.LeaderCalls;
import io.surestate.server.api.Pages;
import io.surestate.server.api.Problems;
import io.surestate.server.api.Reads;
import io.surestate.server.api.Refused;
import io.surestate.server.api.Replies;
import io.surestate.server.node.ExecRelay;
import io.surestate.server.node.OutputRelay;
import io.surestate.server.request.Mutations;
import io.surestate.statemachine.StateView;
import io.surestate.statemachine.state.JobEntry;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Jobs on the wire. Mutations and output go to the leader; reads are answered by any server. */
public final class JobsService extends JobsGrpc.JobsImplBase {
    private final Mutations mutations;
    private final Reads reads;
    private final Pages pages;
    private final LeaderCalls leader;
    private final SchedulingLoop scheduling;
    private final OutputRelay outputs;
    private final ExecRelay execs;
    private final Authorizer authorizer;
    private final JobLists lists;
    private final Feasibility feasibility;

    public JobsService(
            Mutations mutations,
            SchedulingLoop scheduling,
            Feasibility feasibility,
            OutputRelay outputs,
            ExecRelay execs,
            ApiContext api) {
        this.feasibility = feasibility;
        this.mutations = mutations;
        this.scheduling = scheduling;
        this.outputs = outputs;
        this.execs = execs;
        this.reads = api.reads();
        this.pages = api.pages();
        this.leader = api.leader();
        this.authorizer = api.authorizer();
        this.lists = new JobLists(pages);
    }

    @Override
    public void submitJob(SubmitJobRequest request, StreamObserver<SubmitJobResponse> caller) {
        Replies.mutation(caller, () -> {
            String tenant = authorizer.tenant(
                    request.getHeader().getTenant().isEmpty()
                            ? request.getJob().getTenant()
                            : request.getHeader().getTenant(),
                    Action.SUBMIT_JOB);
            Job admitted = JobAdmission.admit(request.getJob(), tenant, Authorizer.ANONYMOUS);
            return mutations.submit(new Mutations.Ask<>(
                    JobsGrpc.getSubmitJobMethod(),
                    request,
                    tenant,
                    Envelope.newBuilder().setSubmitJob(SubmitJob.newBuilder().setJob(admitted)),
                    view -> request.getAllowFuture() ? Optional.empty() : feasibility.refusal(view, admitted),
                    done -> SubmitJobResponse.newBuilder()
                            // A job that is only validated has no uid.
                            .setJob(
                                    done.revision() == 0
                                            ? admitted
                                            : done.outcome().getJob())
                            .setRevision(done.revision())
                            .build()));
        });
    }

    @Override
    public void cancelJob(CancelJobRequest request, StreamObserver<CancelJobResponse> caller) {
        Replies.mutation(caller, () -> {
            String tenant = authorizer.tenant(request.getHeader().getTenant(), Action.CANCEL_JOB);
            Problems.length("reason", request.getReason(), Limits.REASON_CHARS_MAX);
            Problems.range("expectedGeneration", request.getExpectedGeneration(), 0, Long.MAX_VALUE);
            return mutations.submit(new Mutations.Ask<>(
                    JobsGrpc.getCancelJobMethod(),
                    request,
                    tenant,
                    Envelope.newBuilder()
                            .setCancelJob(CancelJob.newBuilder()
                                    .setTenant(tenant)
                                    .setJob(request.getJob())
                                    .setExpectedGeneration(request.getExpectedGeneration())
                                    .setReason(request.getReason())
                                    .setForce(request.getForce())),
                    done -> CancelJobResponse.newBuilder()
                            .setJob(done.outcome().getJob())
                            .setRevision(done.revision())
                            .build()));
        });
    }

    @Override
    public void resizeJob(ResizeJobRequest request, StreamObserver<ResizeJobResponse> caller) {
        Replies.mutation(caller, () -> {
            String tenant = authorizer.tenant(request.getHeader().getTenant(), Action.RESIZE_JOB);
            Problems.range("count", request.getCount(), 1, Limits.TASKS_PER_GROUP_MAX);
            Problems.range("expectedGeneration", request.getExpectedGeneration(), 0, Long.MAX_VALUE);
            return mutations.submit(new Mutations.Ask<>(
                    JobsGrpc.getResizeJobMethod(),
                    request,
                    tenant,
                    Envelope.newBuilder()
                            .setResizeJob(ResizeJob.newBuilder()
                                    .setTenant(tenant)
                                    .setJob(request.getJob())
                                    .setGroup(request.getGroup())
                                    .setCount(request.getCount())
                                    .setExpectedGeneration(request.getExpectedGeneration())),
                    done -> ResizeJobResponse.newBuilder()
                            .setJob(done.outcome().getJob())
                            .setRevision(done.revision())
                            .build()));
        });
    }

    @Override
    public void getJob(GetJobRequest request, StreamObserver<GetJobResponse> caller) {
        Replies.read(caller, () -> {
            String tenant = authorizer.tenant(request.getTenant(), Action.READ);
            return reads.view(request.getRead()).thenCompose(view -> {
                JobLookup.Found found = JobLookup.find(view, tenant, request.getJob());
                GetJobResponse.Builder reply = GetJobResponse.newBuilder()
                        .setJob(found.job())
                        .addAllTasks(found.tasks())
                        .setSparesKept(
                                view.state().sparesOf(found.job().getUid()).size())
                        .setRevision(view.revision());
                boolean waits = found.job().getStatus().getPhase() == JobPhase.JOB_PHASE_PENDING
                        || view.state()
                                .job(found.job().getUid())
                                .filter(JobEntry::wantsMore)
                                .isPresent();
                return waits ? withReason(request, reply) : CompletableFuture.completedFuture(reply.build());
            });
        });
    }

    /** Only the leader looks at pending jobs; without one the job is shown without its reason. */
    private CompletableFuture<GetJobResponse> withReason(GetJobRequest request, GetJobResponse.Builder reply) {
        if (leader.leading()) {
            scheduling.reason(reply.getJob().getUid()).ifPresent(reply::setPendingReason);
            return CompletableFuture.completedFuture(reply.build());
        }
        if (request.getRead().getStale() || leader.leaderHint().isEmpty()) {
            return CompletableFuture.completedFuture(reply.build());
        }
        return leader.unary(JobsGrpc.getGetJobMethod(), request);
    }

    @Override
    public void listJobs(ListJobsRequest request, StreamObserver<ListJobsResponse> caller) {
        Replies.read(caller, () -> {
            authorizer.check(Authorizer.ANONYMOUS, request.getFilter().getTenant(), Action.READ);
            return pages.start(request.getRead(), request.getPage())
                    .thenApply(start -> lists.jobs(request.getFilter(), request.getIncludeFinished(), start));
        });
    }

    @Override
    public void listJobEvents(ListJobEventsRequest request, StreamObserver<ListJobEventsResponse> caller) {
        Replies.read(caller, () -> {
            String tenant = authorizer.tenant(request.getTenant(), Action.READ);
            return pages.start(request.getRead(), request.getPage())
                    .thenApply(start -> lists.events(tenant, request.getJob(), start));
        });
    }

    @Override
    public void readOutput(ReadOutputRequest request, StreamObserver<ReadOutputResponse> caller) {
        try {
            String tenant = authorizer.tenant(request.getTenant(), Action.READ_OUTPUT);
            if (!leader.leading()) {
                ClientCalls.asyncServerStreamingCall(
                        leader.leaderChannel().newCall(JobsGrpc.getReadOutputMethod(), CallOptions.DEFAULT),
                        request,
                        caller);
                return;
            }
            reads.view(ReadOptions.newBuilder().setStale(true).build())
                    .thenAccept(view -> {
                        JobLookup.Found found = JobLookup.find(view, tenant, request.getJob());
                        Task task = JobLookup.task(
                                view, found, request.getGroup(), request.getIndex(), request.getAttempt());
                        if (task.getNode().isEmpty()) {
                            throw Refused.of(
                                    io.surestate.api.v1.ErrorCode.ERROR_CODE_ILLEGAL_STATE,
                                    "task: " + task.getGroup() + "/" + task.getIndex()
                                            + " was never placed (expected: a task that started)");
                        }
                        outputs.read(task.getNode(), outputRequest(request, task), caller);
                    })
                    .join();
        } catch (RuntimeException refused) {
            caller.onError(Replies.toGrpc(refused, Refused.outcomeUnknown("output: not read in time")));
        }
    }

    @Override
    public StreamObserver<ExecRequest> exec(StreamObserver<ExecResponse> caller) {
        return execs.open(caller, start -> {
            String tenant = authorizer.tenant(start.getTenant(), Action.EXEC);
            ExecAdmission.check(start);
            if (!leader.leading()) {
                return new ExecRelay.Destination.Elsewhere(leader.leaderChannel());
            }
            StateView view =
                    reads.view(ReadOptions.newBuilder().setStale(true).build()).join();
            Task task = ExecAdmission.task(JobLookup.find(view, tenant, start.getJob()), start);
            return new ExecRelay.Destination.OnNode(task.getNode(), task.getAllocationId());
        });
    }

    private static OutputRequest outputRequest(ReadOutputRequest request, Task task) {
        return OutputRequest.newBuilder()
                .setAllocationId(task.getAllocationId())
                .setTask(TaskRef.newBuilder()
                        .setJobUid(task.getJobUid())
                        .setGroup(task.getGroup())
                        .setIndex(task.getIndex())
                        .setAttempt(task.getAttempt()))
                .setSource(request.getSource())
                .setOffset(request.getOffset())
                .setFollow(request.getFollow())
                .build();
    }
}
