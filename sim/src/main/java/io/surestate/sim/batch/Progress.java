package io.surestate.sim.batch;

/** Gets told how a simulation goes on, from its thread, every so often. */
@FunctionalInterface
public interface Progress {
    /**
     * Jobs ended.
     *
     * @param more since it was told last
     */
    void ended(long more);

    static Progress unseen() {
        return more -> {};
    }
}
