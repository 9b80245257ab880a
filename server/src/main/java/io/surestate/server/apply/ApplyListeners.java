package io.surestate.server.apply;

import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.StateView;
import java.util.List;

/** Who sees every applied entry: the clock, the watch feed and the meters. Called on the apply thread, before the view is published. */
public interface ApplyListeners {
    void applied(List<AppliedEntry> entries);

    /** The state was opened anew; what came before must not be continued. */
    void restored(StateView view);

    static ApplyListeners of(ApplyListeners... all) {
        List<ApplyListeners> each = List.of(all);
        return new ApplyListeners() {
            @Override
            public void applied(List<AppliedEntry> entries) {
                each.forEach(listener -> listener.applied(entries));
            }

            @Override
            public void restored(StateView view) {
                each.forEach(listener -> listener.restored(view));
            }
        };
    }
}
