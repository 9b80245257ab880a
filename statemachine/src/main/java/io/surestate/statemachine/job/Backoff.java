package io.surestate.statemachine.job;

import io.surestate.api.Limits;
import io.surestate.api.v1.JobStatus;
import io.surestate.api.v1.RetryPolicy;
import io.surestate.statemachine.decision.Draft;

/** How long a gang waits after a failure. Drawn from the log alone, so that every server waits as long. */
final class Backoff {
    private static final long FIRST_MILLIS_DEFAULT = 1_000;
    private static final int DOUBLINGS_MAX = 30;
    private static final int SHORTENED_DIVISOR = 4;

    private Backoff() {}

    /** Of a job as it stands, after its failures so far. */
    static long millis(Draft draft, String uid, RetryPolicy retry, JobStatus status) {
        return millis(retry, status.getFailures() + status.getIgnoredFailures(), draft.index(), uid);
    }

    /**
     * Doubles with each failure up to the longest; always at least one millisecond.
     *
     * @param index log index of the entry that decides
     */
    static long millis(RetryPolicy retry, int failures, long index, String uid) {
        long longest = retry.getBackoffMaxMillis() <= 0
                ? Limits.BACKOFF_MILLIS_MAX
                : Math.min(retry.getBackoffMaxMillis(), Limits.BACKOFF_MILLIS_MAX);
        long first = retry.getBackoffMillis() <= 0 ? FIRST_MILLIS_DEFAULT : Math.min(retry.getBackoffMillis(), longest);
        int doublings = Math.min(Math.max(0, failures - 1), DOUBLINGS_MAX);
        long full = Math.min(first << doublings, longest);
        return full - Long.remainderUnsigned(mixed(index, uid), full / SHORTENED_DIVISOR + 1);
    }

    /** Even over what differs little (the finaliser of SplitMix64). */
    private static long mixed(long index, String uid) {
        long z = index * 0x9e3779b97f4a7c15L + uid.hashCode();
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
