package io.surestate.server.leader;

import io.surestate.server.apply.Views;
import io.surestate.server.log.Leadership;
import io.surestate.server.log.ReadIndexRounds;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Switches the duties on when this server leads and has applied all that was committed before its term, and off in reverse order when it
 * no longer does. All state belongs to the leader loop; {@link #leadershipChanged} may come from any thread.
 */
public final class LeaderDuties {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderDuties.class);

    private final Executor loop;
    private final ReadIndexRounds readIndex;
    private final Views views;
    private final List<LeaderDuty> duties;
    private final Consumer<Throwable> onFault;
    private final Deque<LeaderDuty> running = new ArrayDeque<>();
    private Leadership current = Leadership.UNKNOWN;
    /** The barrier could not be confirmed; to be tried again at the next poll. */
    private boolean barrierFailed;

    /** Duties begin in the given order. A duty that fails to begin is a fault: this server must not stay leader. */
    public LeaderDuties(LeaderEnvironment at, List<LeaderDuty> duties, Consumer<Throwable> onFault) {
        this.loop = at.loop();
        this.readIndex = at.readIndex();
        this.views = at.views();
        this.duties = List.copyOf(duties);
        this.onFault = onFault;
    }

    public void leadershipChanged(Leadership leadership) {
        loop.execute(() -> change(leadership));
    }

    /** On the leader loop. */
    public void poll() {
        if (barrierFailed) {
            barrierFailed = false;
            awaitBarrier(current);
        }
        running.forEach(LeaderDuty::poll);
    }

    private void change(Leadership next) {
        if (next.term() < current.term()) {
            return;
        }
        boolean sameLead = next.ready() && current.ready() && next.term() == current.term();
        current = next;
        if (sameLead) {
            return;
        }
        end();
        barrierFailed = false;
        if (next.ready()) {
            awaitBarrier(next);
        }
    }

    /** A read-index round of the own term, then a view that holds it: nothing committed earlier can be missing. */
    private void awaitBarrier(Leadership mine) {
        readIndex
                .next()
                .thenCompose(views::atLeast)
                .whenCompleteAsync(
                        (view, failure) -> {
                            if (!mine.equals(current)) {
                                return;
                            }
                            if (failure == null) {
                                begin(mine.term());
                            } else {
                                barrierFailed = true;
                            }
                        },
                        loop);
    }

    private void begin(long term) {
        LOG.info("action=lead term={} revision={}", term, views.newest().revision());
        try {
            for (LeaderDuty duty : duties) {
                running.push(duty);
                duty.begin(term);
            }
        } catch (RuntimeException failed) {
            end();
            onFault.accept(failed);
        }
    }

    private void end() {
        if (!running.isEmpty()) {
            LOG.info("action=stop-leading term={}", current.term());
        }
        while (!running.isEmpty()) {
            running.pop().end();
        }
    }
}
