package io.surestate.client;

import io.grpc.CallOptions;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.StreamObserver;
import io.surestate.api.Limits;
import io.surestate.api.v1.AcknowledgeOutcomesRequest;
import io.surestate.api.v1.AcknowledgeOutcomesResponse;
import io.surestate.api.v1.RequestsGrpc;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/**
 * Tells the servers which outcomes nobody will ask for again, {@link Limits#ACKNOWLEDGED_TOGETHER} at a time. What is not told, or lost,
 * expires by itself. Safe between threads; has none of its own.
 */
final class Acknowledgements {
    private static final long SEND_MILLIS_MAX = 5_000;
    private static final long CLOSE_MILLIS_MAX = 500;

    private final ClusterClient client;
    /** Ids by tenant; each list shorter than what is sent together. */
    private final Map<String, List<String>> answered = new TreeMap<>();

    Acknowledgements(ClusterClient client) {
        this.client = client;
    }

    void answered(Stamped<?> request) {
        if (!request.ownId().isEmpty()) {
            add(request.tenant(), request.ownId()).ifPresent(this::send);
        }
    }

    private synchronized Optional<AcknowledgeOutcomesRequest> add(String tenant, String requestId) {
        List<String> ids = answered.computeIfAbsent(tenant, none -> new ArrayList<>());
        ids.add(requestId);
        if (ids.size() < Limits.ACKNOWLEDGED_TOGETHER) {
            return Optional.empty();
        }
        answered.remove(tenant);
        return Optional.of(request(tenant, ids));
    }

    private static AcknowledgeOutcomesRequest request(String tenant, List<String> ids) {
        return AcknowledgeOutcomesRequest.newBuilder()
                .setTenant(tenant)
                .addAllRequestIds(ids)
                .build();
    }

    /** Does not wait. */
    private void send(AcknowledgeOutcomesRequest request) {
        ClientCalls.asyncUnaryCall(
                client.channel(client.endpoints().current())
                        .newCall(
                                RequestsGrpc.getAcknowledgeOutcomesMethod(),
                                CallOptions.DEFAULT.withDeadlineAfter(SEND_MILLIS_MAX, TimeUnit.MILLISECONDS)),
                request,
                new Unheard());
    }

    /** Sends what is left, one attempt each, and waits shortly. */
    void close() {
        for (AcknowledgeOutcomesRequest request : takeAll()) {
            try {
                ClientCalls.blockingUnaryCall(
                        client.channel(client.endpoints().current()),
                        RequestsGrpc.getAcknowledgeOutcomesMethod(),
                        CallOptions.DEFAULT.withDeadlineAfter(CLOSE_MILLIS_MAX, TimeUnit.MILLISECONDS),
                        request);
            } catch (StatusRuntimeException harmless) {
                return;
            }
        }
    }

    private synchronized List<AcknowledgeOutcomesRequest> takeAll() {
        List<AcknowledgeOutcomesRequest> requests = new ArrayList<>();
        answered.forEach((tenant, ids) -> requests.add(request(tenant, ids)));
        answered.clear();
        return requests;
    }

    /** Whether it arrived makes no difference. */
    private static final class Unheard implements StreamObserver<AcknowledgeOutcomesResponse> {
        @Override
        public void onNext(AcknowledgeOutcomesResponse ignored) {
            // Nothing follows from it.
        }

        @Override
        public void onError(Throwable ignored) {
            // The outcomes expire by themselves.
        }

        @Override
        public void onCompleted() {
            // Nothing follows from it.
        }
    }
}
