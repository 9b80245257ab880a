package io.surestate.testkit.sim;

/**
 * How fast a machine's clocks run.
 *
 * @param partsPerMillion by which they are faster, or slower where negative, than true time
 */
record SimClock(int partsPerMillion) {
    private static final long MILLION = 1_000_000;

    /** What these clocks count while that much true time passes, in nanoseconds. */
    long countedNanos(long trueMillis) {
        return trueMillis * (MILLION + partsPerMillion);
    }

    /** As {@link #countedNanos}, in milliseconds. */
    long countedMillis(long trueMillis) {
        return countedNanos(trueMillis) / MILLION;
    }

    /** True time after which these clocks have surely counted that much. */
    long trueMillis(long countedMillis) {
        return Math.max(0, countedMillis) * MILLION / (MILLION + partsPerMillion) + 1;
    }
}
