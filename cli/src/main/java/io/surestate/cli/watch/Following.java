package io.surestate.cli.watch;

import io.surestate.api.Limits;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.WatchRequest;
import io.surestate.cli.CliContext;
import io.surestate.cli.connect.Session;
import io.surestate.client.ResumingWatch;
import io.surestate.client.SurestateException;
import io.surestate.client.WatchBatch;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Tells changes until the program is interrupted, over any outage: once a server has served, it goes on looking for one. Says once for each
 * outage that it does. Only what no waiting mends ends it. One thread.
 */
public final class Following {
    private static final Duration REST = Duration.ofMillis(Limits.CALL_BACKOFF_MILLIS_MAX);

    private final CliContext context;
    private final Session session;
    private boolean served;
    private boolean said;
    /** The last revision that was told whole; 0 = none. */
    private long revision;

    public Following(CliContext context, Session session) {
        this.context = context;
        this.session = session;
    }

    /** Hands over batch after batch; returns when the thread is interrupted. */
    public void each(WatchRequest request, Consumer<WatchBatch> told) {
        revision = request.getFromRevision();
        long waitedMillis = 0;
        try (ResumingWatch watch = session.watch(request)) {
            while (true) {
                try {
                    Optional<WatchBatch> batch = watch.next();
                    if (batch.isEmpty()) {
                        return;
                    }
                    served(batch.get(), told);
                } catch (SurestateException refused) {
                    waitedMillis += Limits.WATCH_PATIENCE_MILLIS;
                    boolean hope = served || waitedMillis < session.timeout().toMillis();
                    if (!refused.detail().getRetryable() || !hope) {
                        throw ended(refused);
                    }
                    sayOnce();
                }
            }
        }
    }

    private void served(WatchBatch batch, Consumer<WatchBatch> told) {
        served = true;
        said = false;
        told.accept(batch);
        if (batch.kind() == WatchBatch.Kind.CHANGES || batch.kind() == WatchBatch.Kind.LIST_ENDS) {
            revision = batch.revision();
        }
    }

    /** Asks until a server answers: a change that was taken from the watch must not be lost because of what is asked about it. */
    public <R> R insist(Supplier<R> ask) {
        while (true) {
            try {
                R answer = ask.get();
                said = false;
                return answer;
            } catch (SurestateException refused) {
                if (!refused.detail().getRetryable() || Thread.currentThread().isInterrupted()) {
                    throw refused;
                }
                sayOnce();
                context.pause().sleep(REST);
            }
        }
    }

    private void sayOnce() {
        if (!said && served) {
            context.err().println("ssctl: no server answers; trying on, last revision " + revision);
        }
        said = true;
    }

    private SurestateException ended(SurestateException why) {
        boolean gone =
                why.code() == ErrorCode.ERROR_CODE_COMPACTED || why.code() == ErrorCode.ERROR_CODE_HISTORY_CHANGED;
        if (served && !gone) {
            context.err()
                    .println("ssctl: told up to revision " + revision + "; to go on: ssctl watch --from " + revision);
        }
        return why;
    }
}
