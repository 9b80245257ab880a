package io.surestate.statemachine;

import io.surestate.log.v1.Outcome;
import io.surestate.statemachine.state.Change;
import java.util.List;

/**
 * What one committed entry came to.
 *
 * @param timeMillis cluster time after it
 * @param outcomes one per command, in their order. None for an entry that the state held already: what its commands came to is not known
 *     any more, except by their request ids
 * @param changes all changes, in order of effect
 */
public record AppliedEntry(long revision, long timeMillis, List<Outcome> outcomes, List<Change> changes) {
    public AppliedEntry {
        outcomes = List.copyOf(outcomes);
        changes = List.copyOf(changes);
    }
}
