package io.surestate.sim.cluster;

import io.surestate.api.v1.ErrorCode;

/** The core refused what a simulation asked of it: a conflict that must not be, or more than a cluster may have. */
public final class ClusterRefusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    ClusterRefusal(ErrorCode code, String message) {
        super(message);
        this.code = code;
    }

    /** What kind of refusal it is. */
    public ErrorCode code() {
        return code;
    }
}
