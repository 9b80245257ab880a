package io.surestate.statemachine.job;

import io.surestate.api.v1.RetryPolicy;
import io.surestate.api.v1.Task;

/** What the failure of a task means to its gang. Losses of nodes, preemptions and moves are no failures. */
enum FailureClass {
    /** Uses up an attempt. */
    COUNTS,
    /** Tried again as if nothing had happened. */
    IGNORED,
    /** Trying again would not help. */
    FAILS_JOB;

    private static final int SIGNALLED = 128;

    static FailureClass of(RetryPolicy retry, Task failed) {
        int code = failed.getSignal() != 0 ? SIGNALLED + failed.getSignal() : failed.getExitCode();
        if (retry.getExitCodes().getFailJobList().contains(code)) {
            return FAILS_JOB;
        }
        return retry.getExitCodes().getIgnoreList().contains(code) ? IGNORED : COUNTS;
    }
}
