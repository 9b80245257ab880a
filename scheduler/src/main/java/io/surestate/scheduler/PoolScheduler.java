package io.surestate.scheduler;

import io.surestate.api.v1.Claim;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.JobType;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.Plan;
import io.surestate.api.v1.PlanMode;
import io.surestate.scheduler.gang.GangAsk;
import io.surestate.scheduler.gang.GangResult;
import io.surestate.scheduler.gang.GroupAsk;
import io.surestate.scheduler.gang.TaskPlace;
import io.surestate.scheduler.policy.PolicyFactory;
import io.surestate.scheduler.pool.NodeRow;
import io.surestate.scheduler.pool.Shape;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Places gangs by a policy and their topology, whole or not at all, in the order given. Keeps its rows from one view to the next and looks
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
        Map<GangAsk, GangResult.Waits> waiting = new LinkedHashMap<>();
        for (PendingGang gang : gangs) {
            GangAsk ask = ask(gang);
            GangResult result = waiting.containsKey(ask) ? waiting.get(ask) : rows.place(ask);
            if (result instanceof GangResult.Placed placed) {
                plan.addGangs(placement(gang, placed.tasks()));
            } else if (result instanceof GangResult.Waits waits) {
                waiting.put(ask, waits);
                reasons.put(gang.jobUid(), waits.reason());
            }
        }
        return new Schedule(plan.build(), reasons);
    }

    private static GangAsk ask(PendingGang gang) {
        List<GroupAsk> groups = gang.spec().getGroupsList().stream()
                .map(group -> new GroupAsk(
                        group.getName(), Shape.of(group.getResources()), group.getCount(), group.getTopology()))
                .toList();
        JobType type = gang.spec().getType();
        boolean compact = type == JobType.JOB_TYPE_AI_TRAINING || type == JobType.JOB_TYPE_HPC;
        return new GangAsk(groups, gang.spec().getTopology(), compact);
    }

    private GangPlacement placement(PendingGang gang, List<TaskPlace> tasks) {
        GangPlacement.Builder placed = GangPlacement.newBuilder()
                .setJobUid(gang.jobUid())
                .setGeneration(gang.generation())
                .setAttempt(gang.attempt());
        for (TaskPlace task : tasks) {
            NodeRow row = rows.row(task.place().node());
            Claim claim = row.claim(task.place().fit());
            placed.addPlacements(Placement.newBuilder()
                    .setGroup(task.group())
                    .setIndex(task.index())
                    .setNode(row.name())
                    .setNodeEpoch(row.epoch())
                    .setClaim(claim));
        }
        return placed.build();
    }
}
