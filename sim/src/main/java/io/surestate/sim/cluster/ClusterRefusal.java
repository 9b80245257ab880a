package io.surestate.sim.cluster;

/** The core refused what a simulation asked of it: a conflict that must not be, or more than a cluster may have. */
public final class ClusterRefusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ClusterRefusal(String message) {
        super(message);
    }
}
