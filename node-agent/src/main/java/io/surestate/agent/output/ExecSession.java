package io.surestate.agent.output;

import com.google.protobuf.ByteString;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.surestate.agent.process.TaskEntry;
import io.surestate.api.Limits;
import io.surestate.api.v1.ExecEnd;
import io.surestate.api.v1.ExecOrder;
import io.surestate.api.v1.ExecOutput;
import io.surestate.api.v1.ExecRequest;
import io.surestate.api.v1.ExecResponse;
import io.surestate.api.v1.ExecStarted;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One command within a task, for a caller at the other end of a stream: input is asked for one piece at a time, output is read only as fast as it is taken.
 * When the caller goes, the command is killed.
 */
final class ExecSession implements ClientResponseObserver<ExecOutput, ExecRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(ExecSession.class);
    private static final long LOOK_MILLIS = 10;
    /** Looks that find nothing after the command has ended: what it left running may hold its outputs open for long. */
    private static final int EMPTY_LOOKS = 20;

    private static final int OUTPUTS = 2;
    private static final int SIGNAL_BASE = 128;
    private static final long KILL_MILLIS = 2_000;

    private final ExecOrder order;
    private final TaskEntry entry;
    private final Executor threads;
    private final CountDownLatch copied = new CountDownLatch(OUTPUTS);
    private Optional<ClientCallStreamObserver<ExecOutput>> call = Optional.empty();
    private Optional<Process> process = Optional.empty();
    private boolean inputEnded;
    private boolean gone;

    ExecSession(ExecOrder order, TaskEntry entry, Executor threads) {
        this.order = order;
        this.entry = entry;
        this.threads = threads;
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<ExecOutput> observer) {
        call = Optional.of(observer);
        observer.disableAutoRequestWithInitial(1);
        observer.setOnReadyHandler(this::ready);
    }

    private synchronized void ready() {
        notifyAll();
    }

    /** The command's whole life. */
    void run() {
        try {
            send(ExecOutput.newBuilder());
            Process started = entry.enter(order.getAllocationId(), order.getStart());
            boolean noInput;
            synchronized (this) {
                process = Optional.of(started);
                noInput = inputEnded || !order.getStart().getInput();
            }
            respond(ExecResponse.newBuilder().setStarted(ExecStarted.getDefaultInstance()));
            copy(
                    started,
                    started.getInputStream(),
                    data -> ExecResponse.newBuilder().setOutput(data));
            copy(
                    started,
                    started.getErrorStream(),
                    data -> ExecResponse.newBuilder().setError(data));
            if (noInput) {
                started.getOutputStream().close();
            }
            while (!started.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                if (isGone()) {
                    kill(started);
                }
            }
            copied.await();
            end(started.exitValue());
        } catch (IOException | IllegalStateException e) {
            refuse(String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            process.ifPresent(ExecSession::killAtOnce);
            Thread.currentThread().interrupt();
        }
    }

    private void copy(Process from, InputStream stream, Function<ByteString, ExecResponse.Builder> form) {
        threads.execute(() -> {
            try {
                pump(from, stream, form);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                copied.countDown();
            }
        });
    }

    /** Never waits within a read, which nothing could end. */
    private void pump(Process from, InputStream stream, Function<ByteString, ExecResponse.Builder> form)
            throws InterruptedException {
        int emptyLooks = 0;
        while (emptyLooks < EMPTY_LOOKS) {
            ByteString data = look(stream);
            if (!data.isEmpty()) {
                emptyLooks = 0;
                if (!respond(form.apply(data))) {
                    return;
                }
            } else if (from.waitFor(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                emptyLooks++;
                TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS / 2);
            }
        }
    }

    /** What is there now. The stream is closed for a moment while what is left in it after the command's end is put aside. */
    private static ByteString look(InputStream stream) {
        try {
            int available = Math.min(stream.available(), Limits.EXEC_CHUNK_BYTES_MAX);
            return available == 0 ? ByteString.EMPTY : ByteString.copyFrom(stream.readNBytes(available));
        } catch (IOException closed) {
            return ByteString.EMPTY;
        }
    }

    private void end(int exitCode) throws InterruptedException {
        boolean killed = exitCode > SIGNAL_BASE && entry.over(order.getAllocationId());
        respond(ExecResponse.newBuilder()
                .setEnd(ExecEnd.newBuilder()
                        .setExitCode(exitCode)
                        .setReason(killed ? "the task ended, and the command with it" : "")));
        synchronized (this) {
            if (!gone) {
                call.orElseThrow().onCompleted();
            }
        }
    }

    /** It is not run. */
    synchronized void refuse(String error) {
        if (!gone) {
            gone = true;
            call.orElseThrow()
                    .onNext(ExecOutput.newBuilder()
                            .setStreamId(order.getStreamId())
                            .setError(error)
                            .build());
            call.orElseThrow().onCompleted();
        }
    }

    private boolean respond(ExecResponse.Builder response) throws InterruptedException {
        return send(ExecOutput.newBuilder().setResponse(response));
    }

    /** Waits until the other side takes it; false if nobody will. */
    private synchronized boolean send(ExecOutput.Builder message) throws InterruptedException {
        while (!gone && !call.orElseThrow().isReady()) {
            wait();
        }
        if (!gone) {
            call.orElseThrow().onNext(message.setStreamId(order.getStreamId()).build());
        }
        return !gone;
    }

    private synchronized boolean isGone() {
        return gone;
    }

    private static void kill(Process running) throws InterruptedException {
        running.descendants().forEach(ProcessHandle::destroy);
        running.destroy();
        if (!running.waitFor(KILL_MILLIS, TimeUnit.MILLISECONDS)) {
            killAtOnce(running);
        }
    }

    private static void killAtOnce(Process running) {
        running.descendants().forEach(ProcessHandle::destroyForcibly);
        running.destroyForcibly();
    }

    @Override
    public void onNext(ExecRequest message) {
        threads.execute(() -> {
            Optional<Process> running;
            synchronized (this) {
                running = process;
                inputEnded |= message.getInputEnd();
            }
            running.ifPresent(started -> feed(started.getOutputStream(), message));
            synchronized (this) {
                if (!gone) {
                    call.orElseThrow().request(1);
                }
            }
        });
    }

    /** A command that reads no more is left to end as it likes. */
    private void feed(OutputStream input, ExecRequest message) {
        try {
            if (message.getInputEnd()) {
                input.close();
            } else {
                message.getInput().writeTo(input);
                input.flush();
            }
        } catch (IOException closed) {
            LOG.debug("event=exec-input-closed allocation={}", order.getAllocationId());
        }
    }

    @Override
    public synchronized void onError(Throwable failure) {
        gone = true;
        notifyAll();
    }

    @Override
    public synchronized void onCompleted() {
        gone = true;
        notifyAll();
    }
}
