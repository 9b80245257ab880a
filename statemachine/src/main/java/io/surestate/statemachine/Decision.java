package io.surestate.statemachine;

import io.surestate.log.v1.Outcome;
import io.surestate.statemachine.state.Change;
import io.surestate.statemachine.state.ClusterState;
import java.util.List;

/**
 * What a command comes to.
 *
 * @param next the state with the changes applied
 * @param nextOrdinal ordinal of the next id that the entry may make
 */
public record Decision(Outcome outcome, List<Change> changes, ClusterState next, int nextOrdinal) {
    public Decision {
        changes = List.copyOf(changes);
    }
}
