package io.surestate.statemachine.state;

/**
 * How much there is, kept without counting.
 *
 * @param runningJobs phase RUNNING; {@code stoppingJobs} are RESTARTING, FAILING or CANCELLING
 * @param liveTasks tasks of live jobs, final ones included
 * @param nominatedJobs jobs whose places are still being emptied
 * @param allocations live allocations over all nodes
 */
public record Counts(
        int pendingJobs,
        int runningJobs,
        int stoppingJobs,
        int nominatedJobs,
        int liveTasks,
        int nodes,
        int allocations,
        int outcomes) {
    public int liveJobs() {
        return pendingJobs + runningJobs + stoppingJobs + nominatedJobs;
    }
}
