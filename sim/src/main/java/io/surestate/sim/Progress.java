package io.surestate.sim;

/** Gets told how a simulation goes on, every so often, from each thread that simulates. */
@FunctionalInterface
public interface Progress {
    /**
     * Steps were done.
     *
     * @param more since it was told last
     */
    void done(long more);

    static Progress unseen() {
        return more -> {};
    }
}
