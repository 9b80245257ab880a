package io.surestate.statemachine.job;

import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Job;
import io.surestate.log.v1.Outcome;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.Ids;
import io.surestate.statemachine.state.JobEntry;
import java.util.Optional;

/** The live job that a command means, and what is said where there is none. */
final class LiveJobs {
    private LiveJobs() {}

    /** @param job name or uid */
    static Optional<JobEntry> find(ClusterState state, String tenant, String job) {
        return state.job(job)
                .filter(entry -> entry.job().getTenant().equals(tenant))
                .or(() -> state.liveJob(tenant, job));
    }

    static Outcome notFound(Draft draft, String tenant, String job) {
        boolean over =
                Ids.madeUpTo(job, draft.index()) && draft.state().job(job).isEmpty();
        return over
                ? Outcomes.rejected(ErrorCode.ERROR_CODE_ILLEGAL_STATE, "job", job, "a live job; this one is over")
                : Outcomes.rejected(
                        ErrorCode.ERROR_CODE_NOT_FOUND, "job", job, "name or uid of a live job of tenant " + tenant);
    }

    /** @param expected 0 = any */
    static Optional<Outcome> generationProblem(Job job, long expected) {
        return expected == 0 || expected == job.getGeneration()
                ? Optional.empty()
                : Optional.of(Outcomes.rejected(
                        ErrorCode.ERROR_CODE_GENERATION_MISMATCH,
                        "generation",
                        Long.toString(expected),
                        Long.toString(job.getGeneration())));
    }
}
