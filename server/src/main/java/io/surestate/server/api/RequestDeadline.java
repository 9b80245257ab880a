package io.surestate.server.api;

import io.grpc.Context;
import io.grpc.Deadline;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** How long one request may wait inside the server: the caller's own deadline less the way back, and never longer than ours. */
public final class RequestDeadline {
    /** Without a quorum every request is answered within this time. */
    public static final Duration WAIT_MAX = Duration.ofSeconds(5);

    private static final long WAY_BACK_MILLIS = 50;

    private RequestDeadline() {}

    /** Reads the deadline of the call that this thread works on. */
    public static long remainingMillis() {
        Deadline deadline = Context.current().getDeadline();
        long ours = WAIT_MAX.toMillis();
        if (deadline == null) {
            return ours;
        }
        long theirs = deadline.timeRemaining(TimeUnit.MILLISECONDS) - WAY_BACK_MILLIS;
        return Math.max(1, Math.min(ours, theirs));
    }
}
