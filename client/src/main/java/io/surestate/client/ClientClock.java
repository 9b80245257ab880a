package io.surestate.client;

/** Time as the client sees it. */
public interface ClientClock {
    /** Nanoseconds of a clock that only moves forward; the zero has no meaning. */
    long nanos();

    void sleepMillis(long millis) throws InterruptedException;

    /** The machine's monotonic clock. */
    static ClientClock system() {
        return new ClientClock() {
            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public void sleepMillis(long millis) throws InterruptedException {
                Thread.sleep(millis);
            }
        };
    }
}
