package io.surestate.server.watch;

import io.surestate.statemachine.StateView;
import java.util.Optional;
import java.util.function.Supplier;

/** Tells whose a job is, live or finished; the answer for one job never changes. Thread-safe; may read the store. */
final class JobTenants {
    private final Supplier<StateView> newest;

    JobTenants(Supplier<StateView> newest) {
        this.newest = newest;
    }

    Optional<String> of(String jobUid) {
        StateView view = newest.get();
        return view.state()
                .job(jobUid)
                .map(entry -> entry.job())
                .or(() -> view.history().job(jobUid))
                .map(job -> job.getTenant());
    }
}
