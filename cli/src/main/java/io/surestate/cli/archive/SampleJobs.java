package io.surestate.cli.archive;

import io.grpc.stub.StreamObserver;
import io.surestate.api.v1.GetJobRequest;
import io.surestate.api.v1.GetJobResponse;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobEvent;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.api.v1.ListJobEventsRequest;
import io.surestate.api.v1.ListJobEventsResponse;
import io.surestate.api.v1.ListJobsRequest;
import io.surestate.api.v1.ListJobsResponse;
import io.surestate.api.v1.Resources;
import io.surestate.api.v1.SubmitJobRequest;
import io.surestate.api.v1.SubmitJobResponse;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskGroup;

/** One job for every question. Holds no state. */
final class SampleJobs extends JobsGrpc.JobsImplBase {
    private static Job job() {
        return Job.newBuilder()
                .setName("sample")
                .setTenant("default")
                .setUid("1-0")
                .setCreatedMillis(1)
                .setSpec(JobSpec.newBuilder()
                        .addGroups(TaskGroup.newBuilder()
                                .setName("a")
                                .setCount(1)
                                .setResources(Resources.newBuilder().setCpuMillicores(1_000))
                                .addCommand("true")))
                .build();
    }

    @Override
    public void listJobs(ListJobsRequest request, StreamObserver<ListJobsResponse> caller) {
        caller.onNext(ListJobsResponse.newBuilder().addJobs(job()).build());
        caller.onCompleted();
    }

    @Override
    public void getJob(GetJobRequest request, StreamObserver<GetJobResponse> caller) {
        caller.onNext(GetJobResponse.newBuilder()
                .setJob(job())
                .addTasks(Task.newBuilder().setGroup("a"))
                .build());
        caller.onCompleted();
    }

    @Override
    public void submitJob(SubmitJobRequest request, StreamObserver<SubmitJobResponse> caller) {
        caller.onNext(SubmitJobResponse.newBuilder().setJob(request.getJob()).build());
        caller.onCompleted();
    }

    @Override
    public void listJobEvents(ListJobEventsRequest request, StreamObserver<ListJobEventsResponse> caller) {
        caller.onNext(ListJobEventsResponse.newBuilder()
                .addEvents(JobEvent.newBuilder().setRevision(1))
                .build());
        caller.onCompleted();
    }
}
