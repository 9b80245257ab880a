package io.surestate.cli.local;

/** Work that is done exactly once: at the end of a command or when a signal ends the process, whichever comes first. Safe between threads. */
public final class Shutdown {
    private final Runnable work;
    private volatile boolean begun;
    private boolean done;

    public Shutdown(Runnable work) {
        this.work = work;
    }

    /** Does the work unless it was done; a second caller waits until it is. */
    public synchronized void run() {
        if (!done) {
            begun = true;
            done = true;
            work.run();
        }
    }

    /** Whether the end has begun: whatever goes wrong from then on was meant to. */
    public boolean begun() {
        return begun;
    }

    /** The work is not to be done after all. */
    public synchronized void forget() {
        done = true;
    }

    /** From now on a signal ends the process through {@link #run} and {@code afterwards}, with this exit code. */
    public void onSignal(int exitCode, Runnable afterwards) {
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            if (endedBySignal()) {
                                run();
                                afterwards.run();
                                Runtime.getRuntime().halt(exitCode);
                            }
                        },
                        "ssctl-stop"));
    }

    private synchronized boolean endedBySignal() {
        return !done;
    }
}
