package io.surestate.sim.openb;

/** Hears how far the experiment is. Called from the threads that run it, one call per finished percent of a run. */
@FunctionalInterface
public interface Progress {
    /** Nobody listens. */
    Progress NONE = (policy, seed, percent) -> {};

    /**
     * A run has come so far.
     *
     * @param percent of this run's pods that arrived, 1-100
     */
    void arrived(String policy, long seed, int percent);
}
