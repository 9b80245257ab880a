package io.surestate.cli.connect;

import io.grpc.MethodDescriptor;
import io.surestate.api.Limits;
import io.surestate.api.v1.ClusterGrpc;
import io.surestate.api.v1.ExecStart;
import io.surestate.api.v1.GetStatusRequest;
import io.surestate.api.v1.ReadOptions;
import io.surestate.api.v1.RequestHeader;
import io.surestate.api.v1.WatchRequest;
import io.surestate.client.AnswerStream;
import io.surestate.client.ClusterClient;
import io.surestate.client.ClusterTime;
import io.surestate.client.ExecCall;
import io.surestate.client.RequestIds;
import io.surestate.client.ResumingWatch;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** Calls to one cluster on behalf of one command. Safe between threads. */
public final class Session implements AutoCloseable {
    private final ClusterClient client;
    private final Duration timeout;
    private final String tenant;
    private final RequestIds requestIds;

    Session(ClusterClient client, Duration timeout, String tenant, RandomGenerator random) {
        this.client = client;
        this.timeout = timeout;
        this.tenant = tenant;
        this.requestIds = new RequestIds(random);
    }

    /** As {@link ClusterClient#call}, within the time that the user allowed. */
    public <Q, R> R call(MethodDescriptor<Q, R> method, Q request) {
        return client.call(method, request, timeout);
    }

    /** As {@link ClusterClient#stream}. */
    public <Q, R> AnswerStream<R> stream(MethodDescriptor<Q, R> method, Q request) {
        return client.stream(method, request, timeout);
    }

    /** As {@link ClusterClient#exec}. */
    public ExecCall exec(ExecStart start) {
        return client.exec(start, timeout);
    }

    /** A watch that goes on over lost servers, and says so when none serves it for {@link Limits#WATCH_PATIENCE_MILLIS}. */
    public ResumingWatch watch(WatchRequest request) {
        return new ResumingWatch(client, request, Duration.ofMillis(Limits.WATCH_PATIENCE_MILLIS));
    }

    /** How long the user allows a call to take. */
    public Duration timeout() {
        return timeout;
    }

    /** Empty = not given. */
    public String tenant() {
        return tenant;
    }

    /**
     * A header for a change.
     *
     * @param requestId empty = a new one
     */
    public RequestHeader header(String requestId) {
        return RequestHeader.newBuilder()
                .setRequestId(requestId.isEmpty() ? requestIds.next() : requestId)
                .setTenant(tenant)
                .build();
    }

    /** Cluster time in milliseconds: ages are counted in it, because it stands still while no server runs. */
    public long clusterTimeMillis() {
        GetStatusRequest stale = GetStatusRequest.newBuilder()
                .setRead(ReadOptions.newBuilder().setStale(true))
                .build();
        return ClusterTime.of(call(ClusterGrpc.getGetStatusMethod(), stale));
    }

    @Override
    public void close() {
        client.close();
    }
}
