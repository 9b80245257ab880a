package io.surestate.statemachine;

import io.surestate.statemachine.decision.FeatureLevels;

/** An entry was built at a level that this build does not know: the server stops until it is upgraded. */
public final class UpgradeRequiredException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    UpgradeRequiredException(long index, int level) {
        super("feature level of entry " + index + ": " + level + " (expected: at most " + FeatureLevels.NEWEST
                + "; upgrade this server)");
    }
}
