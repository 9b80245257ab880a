package io.surestate.client;

import io.surestate.api.v1.ClusterMeta;
import io.surestate.api.v1.FreezeResponse;
import io.surestate.api.v1.GetStatusResponse;
import io.surestate.api.v1.UnfreezeResponse;
import io.surestate.api.v1.WatchResponse;
import java.util.OptionalLong;

/**
 * Cluster time as this client knows it: the newest that a reply told, carried on by the machine's own clock. Milliseconds. Ahead of the
 * truth at most by the time that the cluster stood still. Safe between threads.
 */
public final class ClusterTime {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final ClientClock clock;
    private boolean known;
    private long toldMillis;
    private long toldNanos;

    ClusterTime(ClientClock clock) {
        this.clock = clock;
    }

    /** Cluster time now; empty until a reply told it. */
    public synchronized OptionalLong nowMillis() {
        return known ? OptionalLong.of(carriedOn()) : OptionalLong.empty();
    }

    private long carriedOn() {
        return toldMillis + (clock.nanos() - toldNanos) / NANOS_PER_MILLI;
    }

    /** Cluster time at the server that answered; from one that does not tell it, that of its last entry. */
    public static long of(GetStatusResponse told) {
        return told.getTimeMillis() == 0 ? told.getMeta().getTimeMillis() : told.getTimeMillis();
    }

    /** Takes the time out of a reply that tells it. */
    void learn(Object reply) {
        if (reply instanceof WatchResponse told) {
            learn(told.getTimeMillis());
        } else if (reply instanceof GetStatusResponse told) {
            learn(of(told));
        } else if (reply instanceof FreezeResponse told) {
            learn(told.getMeta());
        } else if (reply instanceof UnfreezeResponse told) {
            learn(told.getMeta());
        }
    }

    private void learn(ClusterMeta meta) {
        learn(meta.getTimeMillis());
    }

    private synchronized void learn(long millis) {
        if (millis > 0 && (!known || millis > carriedOn())) {
            known = true;
            toldMillis = millis;
            toldNanos = clock.nanos();
        }
    }
}
