package io.surestate.statemachine;

import io.surestate.statemachine.state.Change;
import io.surestate.statemachine.state.ClusterState;
import java.util.List;

/** Looks at what each entry came to before it counts; throws where an invariant is broken, which stops the server. */
@FunctionalInterface
public interface EntryCheck {
    void check(ClusterState after, List<Change> changes);
}
