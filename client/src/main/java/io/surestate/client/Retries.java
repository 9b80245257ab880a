package io.surestate.client;

import io.surestate.api.Limits;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.ErrorDetail;
import java.time.Duration;

/** The attempts of one call: which server next, how long to wait, when to give up. Used by the calling thread only. */
final class Retries {
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final ClusterClient client;
    private final long deadlineNanos;
    private int attempts;
    private int hintsFollowed;

    Retries(ClusterClient client, Duration timeout) {
        this.client = client;
        this.deadlineNanos = client.clock().nanos() + timeout.toNanos();
    }

    long millisLeft() {
        return Math.max(0, (deadlineNanos - client.clock().nanos()) / NANOS_PER_MILLI);
    }

    /**
     * Takes note of a failed attempt at {@code endpoint} and waits as long as it must before the next.
     *
     * @return whether there is a next attempt
     */
    boolean again(Endpoint endpoint, ErrorDetail detail) {
        attempts++;
        boolean hinted = client.endpoints().moveOn(endpoint, detail);
        if (attempts >= Limits.CALL_ATTEMPTS_MAX || millisLeft() == 0) {
            return false;
        }
        if (hinted
                && detail.getCode() == ErrorCode.ERROR_CODE_NOT_LEADER
                && hintsFollowed++ < Limits.LEADER_HINTS_FOLLOWED_MAX) {
            return true;
        }
        hintsFollowed = 0;
        return waited(client.backoffMillis(attempts, detail));
    }

    private boolean waited(long millis) {
        if (millis >= millisLeft()) {
            return false;
        }
        try {
            client.clock().sleepMillis(millis);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
