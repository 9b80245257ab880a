package io.surestate.client;

import java.time.Duration;
import java.util.Optional;

/**
 * How far a {@link ClusterView} can be trusted to be of now. Immutable.
 *
 * @param revision of the picture; 0 = nothing was listed yet
 * @param sinceHeard since a server last said something; a connected view hears something every five seconds
 * @param lastFailure why it does not hear more, if it does not
 */
public record Staleness(long revision, Duration sinceHeard, Optional<SurestateException> lastFailure) {
    /** Whether a server serves the view. */
    public boolean connected() {
        return revision > 0 && lastFailure.isEmpty();
    }
}
