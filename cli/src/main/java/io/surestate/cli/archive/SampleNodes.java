package io.surestate.cli.archive;

import io.grpc.stub.StreamObserver;
import io.surestate.api.v1.ListNodesRequest;
import io.surestate.api.v1.ListNodesResponse;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeUsage;
import io.surestate.api.v1.NodesGrpc;

/** One node for every question. Holds no state. */
final class SampleNodes extends NodesGrpc.NodesImplBase {
    @Override
    public void listNodes(ListNodesRequest request, StreamObserver<ListNodesResponse> caller) {
        caller.onNext(ListNodesResponse.newBuilder()
                .addNodes(Node.newBuilder().setName("sample"))
                .addUsages(NodeUsage.getDefaultInstance())
                .build());
        caller.onCompleted();
    }
}
