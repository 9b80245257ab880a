package io.surestate.client;

import io.grpc.StatusRuntimeException;
import io.surestate.api.v1.ErrorDetail;
import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * The answers of a streaming call, in order; waiting for the next blocks. Read by one thread; {@link #close} may come from any.
 *
 * <p>Every failure is a {@link SurestateException}.
 */
public final class AnswerStream<R> implements Iterator<R>, AutoCloseable {
    private final StreamOpener<?, R> opener;
    private final Retries retries;
    private volatile StreamOpener.Opened<R> opened;
    private volatile boolean closed;
    private boolean begun;

    AnswerStream(StreamOpener<?, R> opener, Retries retries) {
        this.opener = opener;
        this.retries = retries;
        this.opened = opener.open();
    }

    @Override
    public boolean hasNext() {
        while (true) {
            try {
                boolean next = opened.answers().hasNext();
                begun = true;
                return next;
            } catch (StatusRuntimeException e) {
                ErrorDetail detail = ErrorDetails.of(e);
                if (closed || begun || !detail.getRetryable() || !retries.again(opened.endpoint(), detail)) {
                    throw new SurestateException(detail, "", e);
                }
                opened = opener.open();
                if (closed) {
                    opened.cancellation().cancel(null);
                }
            }
        }
    }

    @Override
    public R next() {
        if (!hasNext()) {
            throw new NoSuchElementException("answers: none left (expected: hasNext asked before)");
        }
        return opened.answers().next();
    }

    /** Ends the stream; a reader that waits gets a failure. */
    @Override
    public void close() {
        closed = true;
        opened.cancellation().cancel(null);
    }
}
