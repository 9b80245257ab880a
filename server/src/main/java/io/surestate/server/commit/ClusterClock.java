package io.surestate.server.commit;

import io.surestate.server.apply.ApplyListeners;
import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.StateView;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Cluster time on one server, in milliseconds. A follower anchors it at each entry that it applies; a leader goes on from its anchor by
 * the monotonic clock alone, so that no wall clock can move a deadline. After an outage of the whole cluster it goes on where it stopped.
 * Thread-safe.
 */
public final class ClusterClock implements ApplyListeners {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final LongSupplier monotonicNanos;
    private long anchorMillis;
    private long anchorNanos;
    private boolean leading;

    public ClusterClock(LongSupplier monotonicNanos) {
        this.monotonicNanos = monotonicNanos;
        this.anchorNanos = monotonicNanos.getAsLong();
    }

    public synchronized long millis() {
        return anchorMillis + (monotonicNanos.getAsLong() - anchorNanos) / NANOS_PER_MILLI;
    }

    /** A leader's own entries do not anchor its clock: the time that they take to commit would make it late. */
    public synchronized void lead(boolean nowLeading) {
        leading = nowLeading;
    }

    @Override
    public synchronized void applied(List<AppliedEntry> entries) {
        long time = entries.get(entries.size() - 1).timeMillis();
        if (!leading || time > millis()) {
            anchorAt(time);
        }
    }

    @Override
    public synchronized void restored(StateView view) {
        anchorAt(view.state().meta().getTimeMillis());
    }

    private void anchorAt(long millis) {
        anchorMillis = millis;
        anchorNanos = monotonicNanos.getAsLong();
    }
}
