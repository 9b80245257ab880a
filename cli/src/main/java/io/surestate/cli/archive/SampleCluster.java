package io.surestate.cli.archive;

import io.grpc.stub.StreamObserver;
import io.surestate.api.v1.ClusterGrpc;
import io.surestate.api.v1.GetStatusRequest;
import io.surestate.api.v1.GetStatusResponse;

/** An idle cluster. Holds no state. */
final class SampleCluster extends ClusterGrpc.ClusterImplBase {
    @Override
    public void getStatus(GetStatusRequest request, StreamObserver<GetStatusResponse> caller) {
        caller.onNext(GetStatusResponse.getDefaultInstance());
        caller.onCompleted();
    }
}
