package io.surestate.scheduler;

import io.surestate.api.v1.Claim;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.Plan;
import io.surestate.api.v1.PlanMode;
import io.surestate.scheduler.gang.GangAsk;
import io.surestate.scheduler.gang.GangResult;
import io.surestate.scheduler.gang.TaskPlace;
import io.surestate.scheduler.policy.PolicyFactory;
import io.surestate.scheduler.pool.NodeRow;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Places gangs by a policy and their topology, in the order given: whole, or at least their fewest tasks, or not at all; and more tasks of
 * gangs that run. Keeps its rows from one view to the next and looks
 * only at nodes that changed. One thread.
 */
public final class PoolScheduler implements Scheduler {
    private final String name;
    private final Rows rows;

    /**
     * @param name the scheduler name that jobs ask for
     * @param random for policies that draw; the same draws give the same plans
     */
    public PoolScheduler(String name, PolicyFactory policy, RandomGenerator random) {
        this.name = name;
        this.rows = new Rows(policy, random);
    }

    @Override
    public Schedule place(PlacementView view, List<PendingGang> gangs) {
        rows.show(view);
        Plan.Builder plan = Plan.newBuilder()
                .setScheduler(name)
                .setSeenRevision(view.revision())
                .setMode(PlanMode.PLAN_MODE_PER_GROUP);
        Map<String, String> reasons = new LinkedHashMap<>();
        // Within one plan room only shrinks: what found no place does not find one later.
        Map<Asked, GangResult.Waits> waiting = new LinkedHashMap<>();
        for (PendingGang gang : gangs) {
            List<TaskPlace> tasks = gang.joined().isEmpty() ? start(gang, waiting, reasons) : grow(gang);
            if (!tasks.isEmpty()) {
                plan.addGangs(placement(gang, tasks));
            }
        }
        return new Schedule(plan.build(), reasons);
    }

    private record Asked(GangAsk gang, boolean intoKept) {}

    /** The places of a gang that waits; none = it goes on waiting, of which the first way tells the reason. */
    private List<TaskPlace> start(PendingGang gang, Map<Asked, GangResult.Waits> waiting, Map<String, String> reasons) {
        List<String> why = new ArrayList<>();
        for (JobSpec way : gang.ways()) {
            String needed = "";
            for (GangAsk ask : Asks.starts(way)) {
                Asked asked = new Asked(ask, gang.mayTakeKept());
                GangResult result =
                        waiting.containsKey(asked) ? waiting.get(asked) : rows.place(ask, gang.mayTakeKept());
                if (result instanceof GangResult.Placed placed) {
                    return placed.tasks();
                }
                if (result instanceof GangResult.Waits waits) {
                    waiting.put(asked, waits);
                    needed = waits.reason();
                }
            }
            why.add(needed);
        }
        reasons.put(gang.jobUid(), why.isEmpty() ? "no way to meet what it asks for is known" : why.get(0));
        return List.of();
    }

    /** Tasks that join a gang that runs, of the first way in which some can. */
    private List<TaskPlace> grow(PendingGang gang) {
        return gang.ways().stream()
                .map(way -> Asks.growth(way, gang.joined(), rows::indexOf).stream()
                        .flatMap(ask -> rows.grow(ask, gang.mayTakeKept()).stream())
                        .toList())
                .filter(tasks -> !tasks.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    private GangPlacement placement(PendingGang gang, List<TaskPlace> tasks) {
        GangPlacement.Builder placed = GangPlacement.newBuilder()
                .setJobUid(gang.jobUid())
                .setGeneration(gang.generation())
                .setAttempt(gang.attempt());
        for (TaskPlace task : tasks) {
            NodeRow row = rows.row(task.place().node());
            Claim claim = row.claim(task.place().fit());
            Placement.Builder placement = placed.addPlacementsBuilder()
                    .setGroup(task.group())
                    .setIndex(Asks.index(gang, task))
                    .setNode(row.name())
                    .setNodeEpoch(row.epoch())
                    .setClaim(claim);
            rows.telemetry(row.name()).ifPresent(placement::setTelemetry);
        }
        return placed.build();
    }
}
