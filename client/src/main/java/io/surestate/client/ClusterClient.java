package io.surestate.client;

import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.surestate.api.Limits;
import io.surestate.api.v1.ErrorDetail;
import io.surestate.api.v1.ExecStart;
import java.time.Duration;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Calls to a cluster of servers: follows the leader, repeats what is safe to repeat, and turns every refusal into a
 * {@link SurestateException}. Safe between threads.
 */
public final class ClusterClient implements AutoCloseable {
    private final Endpoints endpoints;
    private final Channels channels;
    private final ClientClock clock;
    private final RandomGenerator random;
    private final RequestIds requestIds;
    private final ClusterTime clusterTime;
    private final Acknowledgements acknowledgements;

    /** A client on the machine's clock with one network thread. */
    public ClusterClient(List<Endpoint> servers, RandomGenerator random) {
        this(servers, random, ClientClock.system(), 1);
    }

    /** @param networkThreads threads that carry all connections, at least 1 */
    public ClusterClient(List<Endpoint> servers, RandomGenerator random, ClientClock clock, int networkThreads) {
        this.endpoints = new Endpoints(servers);
        this.channels = new Channels(networkThreads);
        this.clock = clock;
        this.random = random;
        this.requestIds = new RequestIds(random);
        this.clusterTime = new ClusterTime(clock);
        this.acknowledgements = new Acknowledgements(this);
    }

    /**
     * Sends one request and waits for the answer, over as many servers and attempts as {@code timeout} allows. A mutation without a
     * request id gets one, and an expiry if cluster time is known; both stay the same over all attempts. Outcomes under such an id are
     * acknowledged once their answers are here, so that they make room at the servers; under an id of the caller's own they are kept.
     *
     * @throws SurestateException if it was refused or no server answered; {@link SurestateException#outcomeUnknown} if it is a
     *     mutation that may have taken effect
     */
    public <Q, R> R call(MethodDescriptor<Q, R> method, Q request, Duration timeout) {
        Stamped<Q> stamped = Stamped.of(request, requestIds, clusterTime);
        try {
            R reply = new UnaryCall<>(this, method, stamped.request(), timeout).run();
            clusterTime.learn(reply);
            acknowledgements.answered(stamped);
            return reply;
        } catch (SurestateException refused) {
            if (refused.detail().getRevision() > 0 && !refused.outcomeUnknown()) {
                acknowledgements.answered(stamped);
            }
            throw refused;
        }
    }

    /** The cluster's clock, as far as replies told it. */
    public ClusterTime clusterTime() {
        return clusterTime;
    }

    /**
     * Opens a stream of answers. Servers that do not serve it are passed over until {@code openTimeout} has gone by or the first
     * answer has arrived; what breaks later is thrown, and the caller resumes with a new stream.
     */
    public <Q, R> AnswerStream<R> stream(MethodDescriptor<Q, R> method, Q request, Duration openTimeout) {
        return new AnswerStream<>(new StreamOpener<>(this, method, request), new Retries(this, openTimeout));
    }

    /** Has a command run within a task: {@link ExecCall}. Servers are asked until one has it started or {@code openTimeout} has gone by. */
    public ExecCall exec(ExecStart start, Duration openTimeout) {
        return new ExecCall(this, start, new Retries(this, openTimeout));
    }

    /** Which server is asked next; for callers that keep streams of their own and report how they fared. */
    public Endpoints endpoints() {
        return endpoints;
    }

    /** The connection to {@code endpoint}; callbacks run on the network thread and must not block. */
    public Channel channel(Endpoint endpoint) {
        return channels.to(endpoint);
    }

    ClientClock clock() {
        return clock;
    }

    /** Wait before attempt {@code attempt} (from 1): doubles up to a bound, half of it random. Milliseconds. */
    long backoffMillis(int attempt, ErrorDetail detail) {
        long full = Math.min(
                Limits.CALL_BACKOFF_MILLIS_MAX,
                Limits.CALL_BACKOFF_MILLIS_MIN << Math.min(Math.max(attempt - 1, 0), 10));
        return Math.max(full / 2 + random.nextLong(full / 2 + 1), detail.getRetryAfterMillis());
    }

    /** Acknowledges what is left if a server answers soon, then ends every call and frees the network thread. */
    @Override
    public void close() {
        acknowledgements.close();
        channels.close();
    }
}
