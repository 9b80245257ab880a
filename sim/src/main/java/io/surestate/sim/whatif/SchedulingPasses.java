package io.surestate.sim.whatif;

import io.surestate.api.GroupSize;
import io.surestate.api.Limits;
import io.surestate.api.Names;
import io.surestate.api.v1.Job;
import io.surestate.scheduler.PendingGang;
import io.surestate.scheduler.PoolScheduler;
import io.surestate.scheduler.Schedule;
import io.surestate.scheduler.policy.Policies;
import io.surestate.sim.cluster.CoreOffers;
import io.surestate.sim.cluster.VirtualCluster;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.PendingJob;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Places what waits for the default scheduler, in its order, until nothing more finds a place; as leaders do. Used by one thread. */
final class SchedulingPasses {
    private static final String POLICY = "surestate";
    private static final int GANGS_PER_PLAN_MAX = 256;

    private final VirtualCluster cluster;
    private final CoreOffers offers = new CoreOffers();
    private final PoolScheduler scheduler = new PoolScheduler(
            Names.SCHEDULER_DEFAULT, new Policies().named(POLICY).orElseThrow(), new SplittableRandom(1));

    SchedulingPasses(VirtualCluster cluster) {
        this.cluster = cluster;
    }

    /** Returns why jobs wait, by uid. */
    Map<String, String> run() {
        Map<String, String> reasons = new LinkedHashMap<>();
        List<PendingGang> rest = pending();
        while (!rest.isEmpty()) {
            int size = together(rest);
            List<PendingGang> gangs = rest.subList(0, size);
            Schedule schedule = scheduler.place(offers.of(cluster.state()), gangs);
            reasons.putAll(schedule.reasons());
            if (schedule.plan().getGangsCount() > 0) {
                cluster.commit(schedule.plan());
            }
            rest = rest.subList(size, rest.size());
        }
        return reasons;
    }

    private List<PendingGang> pending() {
        ClusterState state = cluster.state();
        List<PendingGang> gangs = new ArrayList<>();
        for (PendingJob next : state.pending()) {
            Job job = state.job(next.uid()).orElseThrow().job();
            if (job.getSpec().getScheduler().equals(Names.SCHEDULER_DEFAULT)
                    && job.getStatus().getNotBeforeMillis() <= cluster.timeMillis()) {
                gangs.add(new PendingGang(
                        job.getUid(),
                        job.getGeneration(),
                        job.getStatus().getAttempt(),
                        state.accelerators().alternatives(job.getSpec()),
                        List.of(),
                        true));
            }
        }
        return gangs;
    }

    /** How many of the first go into one plan. */
    private static int together(List<PendingGang> gangs) {
        int size = 0;
        int placements = 0;
        while (size < gangs.size() && size < GANGS_PER_PLAN_MAX) {
            placements += gangs.get(size).ways().stream()
                    .mapToInt(GroupSize::places)
                    .max()
                    .orElse(0);
            if (size > 0 && placements > Limits.PLACEMENTS_PER_PLAN_MAX) {
                break;
            }
            size++;
        }
        return size;
    }
}
