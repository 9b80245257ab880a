package io.surestate.agent.core;

import io.surestate.api.Limits;

/**
 * How soon a node that has become another one may say hello again: at once after a quiet time, ever more slowly while it keeps changing.
 * Each hello is a command and an epoch. Agent thread only.
 */
final class HelloPace {
    /** Less is no quiet time, however short the wait was. */
    private static final long QUIET_MILLIS = 60_000;

    private long lastMillis = Long.MIN_VALUE / 2;
    private long waitMillis = Limits.HELLO_AGAIN_MILLIS_MIN;

    /** Whether it may now; if so, this one counts. */
    boolean mayGreet(long nowMillis) {
        long quietMillis = nowMillis - lastMillis;
        if (quietMillis < waitMillis) {
            return false;
        }
        waitMillis = quietMillis >= Math.max(QUIET_MILLIS, 2 * waitMillis)
                ? Limits.HELLO_AGAIN_MILLIS_MIN
                : Math.min(Limits.HELLO_AGAIN_MILLIS_MAX, 2 * waitMillis);
        lastMillis = nowMillis;
        return true;
    }
}
