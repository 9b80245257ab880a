package io.surestate.scheduler;

import io.surestate.api.GroupSize;
import io.surestate.api.v1.Claim;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.JobType;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.Plan;
import io.surestate.api.v1.PlanMode;
import io.surestate.api.v1.TaskGroup;
import io.surestate.scheduler.gang.GangAsk;
import io.surestate.scheduler.gang.GangResult;
import io.surestate.scheduler.gang.GroupAsk;
import io.surestate.scheduler.gang.GrowthAsk;
import io.surestate.scheduler.gang.TaskPlace;
import io.surestate.scheduler.policy.PolicyFactory;
import io.surestate.scheduler.pool.NodeRow;
import io.surestate.scheduler.pool.NodeSet;
import io.surestate.scheduler.pool.Shape;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

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
        Map<GangAsk, GangResult.Waits> waiting = new LinkedHashMap<>();
        for (PendingGang gang : gangs) {
            if (!gang.joined().isEmpty()) {
                List<TaskPlace> more = grow(gang);
                if (!more.isEmpty()) {
                    plan.addGangs(placement(gang, more));
                }
                continue;
            }
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
                        group.getName(),
                        Shape.of(group.getResources()),
                        GroupSize.target(group),
                        GroupSize.min(group),
                        group.getSpares(),
                        group.getTopology()))
                .toList();
        JobType type = gang.spec().getType();
        boolean compact = type == JobType.JOB_TYPE_AI_TRAINING || type == JobType.JOB_TYPE_HPC;
        return new GangAsk(groups, gang.spec().getTopology(), compact);
    }

    /** Tasks that join a gang that runs, group after group. */
    private List<TaskPlace> grow(PendingGang gang) {
        NodeSet gangNodes = NodeSet.of(gang.joined().stream()
                .flatMapToInt(task -> rows.indexOf(task.node()).stream())
                .toArray());
        List<TaskPlace> tasks = new ArrayList<>();
        for (TaskGroup group : gang.spec().getGroupsList()) {
            TreeMap<Integer, String> members = new TreeMap<>();
            gang.joined().stream()
                    .filter(task -> task.group().equals(group.getName()))
                    .forEach(task -> members.put(task.index(), task.node()));
            TreeMap<Integer, Integer> joined = new TreeMap<>();
            members.forEach((index, node) -> rows.indexOf(node).ifPresent(at -> joined.put(index, at)));
            List<Integer> open = IntStream.range(0, group.getCount())
                    .filter(index -> !members.containsKey(index))
                    .limit(Math.max(0, GroupSize.target(group) - members.size()))
                    .boxed()
                    .toList();
            if (!open.isEmpty()) {
                tasks.addAll(rows.grow(new GrowthAsk(
                        group.getName(),
                        Shape.of(group.getResources()),
                        open,
                        joined,
                        gangNodes,
                        group.getTopology(),
                        gang.spec().getTopology())));
            }
        }
        return tasks;
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
                    .setIndex(index(gang, task))
                    .setNode(row.name())
                    .setNodeEpoch(row.epoch())
                    .setClaim(claim));
        }
        return placed.build();
    }

    /** Spare places come after all tasks that the group may have, wanted or not. */
    private static int index(PendingGang gang, TaskPlace task) {
        TaskGroup group = gang.spec().getGroupsList().stream()
                .filter(candidate -> candidate.getName().equals(task.group()))
                .findFirst()
                .orElseThrow();
        int wanted = GroupSize.target(group);
        return gang.joined().isEmpty() && task.index() >= wanted
                ? group.getCount() + task.index() - wanted
                : task.index();
    }
}
