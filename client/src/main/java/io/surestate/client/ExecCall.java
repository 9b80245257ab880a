package io.surestate.client;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientCalls;
import io.grpc.stub.ClientResponseObserver;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.ErrorDetail;
import io.surestate.api.v1.ExecRequest;
import io.surestate.api.v1.ExecResponse;
import io.surestate.api.v1.ExecStart;
import io.surestate.api.v1.JobsGrpc;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * A command within a task, as its caller sees it. One thread reads answers, another may send input; {@link #close}, from any, has the command killed if it
 * still runs.
 */
public final class ExecCall implements AutoCloseable {
    private final ClusterClient client;
    private final ExecStart start;
    private volatile Stream stream;

    /** Asks servers until one has the command started. @throws SurestateException if it is refused, or none has after that time */
    ExecCall(ClusterClient client, ExecStart start, Retries retries) {
        this.client = client;
        this.start = start;
        this.stream = open();
        while (true) {
            Optional<Failure> failure = stream.awaitStart(retries.millisLeft());
            if (failure.isEmpty()) {
                return;
            }
            ErrorDetail why = failure.get().detail();
            if (!why.getRetryable() || !retries.again(stream.endpoint, why)) {
                throw failure.get().told();
            }
            stream = open();
        }
    }

    private Stream open() {
        Stream opened = new Stream(client.endpoints().current());
        ClientCalls.asyncBidiStreamingCall(
                client.channel(opened.endpoint).newCall(JobsGrpc.getExecMethod(), CallOptions.DEFAULT), opened);
        opened.send(ExecRequest.newBuilder().setStart(start).build());
        return opened;
    }

    /** The next output, or the end after all of it; waits for it. @throws SurestateException if the stream broke */
    public ExecResponse next() {
        return stream.next();
    }

    /** Sends at most 64 KiB of input as soon as they are taken; false if the command takes no more. */
    public boolean input(ByteString data) {
        return stream.send(ExecRequest.newBuilder().setInput(data).build());
    }

    /** There is no more input. */
    public void endInput() {
        stream.send(ExecRequest.newBuilder().setInputEnd(true).build());
    }

    @Override
    public void close() {
        stream.cancel();
    }

    /** Why a stream ended. */
    private record Failure(ErrorDetail detail, Throwable cause) {
        static Failure of(Throwable broken) {
            return new Failure(ErrorDetails.of(broken), broken);
        }

        static Failure local(ErrorCode code, String message) {
            return new Failure(ErrorDetails.local(code, message), new IllegalStateException(message));
        }

        SurestateException told() {
            return new SurestateException(detail, "", cause);
        }
    }

    private static final class Stream implements ClientResponseObserver<ExecRequest, ExecResponse> {
        private final Endpoint endpoint;
        private final Queue<ExecResponse> answers = new ArrayDeque<>();
        private Optional<ClientCallStreamObserver<ExecRequest>> call = Optional.empty();
        private Optional<Failure> failure = Optional.empty();

        Stream(Endpoint endpoint) {
            this.endpoint = endpoint;
        }

        @Override
        public void beforeStart(ClientCallStreamObserver<ExecRequest> observer) {
            call = Optional.of(observer);
            observer.disableAutoRequestWithInitial(1);
            observer.setOnReadyHandler(this::ready);
        }

        private synchronized void ready() {
            notifyAll();
        }

        /** Takes the first answer. Empty = it has started. */
        synchronized Optional<Failure> awaitStart(long millis) {
            long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
            try {
                while (answers.isEmpty() && failure.isEmpty()) {
                    long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
                    if (left <= 0) {
                        cancel();
                        return Optional.of(
                                Failure.local(ErrorCode.ERROR_CODE_DEADLINE_EXCEEDED, "exec: not started in time"));
                    }
                    wait(left);
                }
            } catch (InterruptedException e) {
                cancel();
                return Optional.of(interrupted());
            }
            if (answers.isEmpty()) {
                return failure;
            }
            answers.remove();
            call.orElseThrow().request(1);
            return Optional.empty();
        }

        private static Failure interrupted() {
            Thread.currentThread().interrupt();
            return Failure.local(ErrorCode.ERROR_CODE_INTERNAL, "exec: interrupted");
        }

        synchronized ExecResponse next() {
            try {
                while (answers.isEmpty() && failure.isEmpty()) {
                    wait();
                }
            } catch (InterruptedException e) {
                throw interrupted().told();
            }
            if (answers.isEmpty()) {
                throw failure.orElseThrow().told();
            }
            call.orElseThrow().request(1);
            return answers.remove();
        }

        synchronized boolean send(ExecRequest request) {
            try {
                while (!request.hasStart()
                        && failure.isEmpty()
                        && !call.orElseThrow().isReady()) {
                    wait();
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
            if (failure.isEmpty()) {
                call.orElseThrow().onNext(request);
            }
            return failure.isEmpty();
        }

        void cancel() {
            call.orElseThrow().cancel("the caller is done", null);
        }

        @Override
        public synchronized void onNext(ExecResponse response) {
            answers.add(response);
            notifyAll();
        }

        @Override
        public synchronized void onError(Throwable broken) {
            failure = Optional.of(Failure.of(broken));
            notifyAll();
        }

        @Override
        public synchronized void onCompleted() {
            failure = Optional.of(Failure.local(ErrorCode.ERROR_CODE_UNAVAILABLE, "exec: ended without a word"));
            notifyAll();
        }
    }
}
