package io.surestate.scheduler;

import io.surestate.api.v1.Claim;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.Plan;
import io.surestate.api.v1.PlanMode;
import io.surestate.api.v1.TaskGroup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Places each task on the first node, in the order of the view, where it fits; a gang that does not fit whole leaves nothing behind and
 * the next is tried. Placements per plan are bounded by the caller's choice of gangs.
 */
public final class FirstFit implements Scheduler {
    private final String name;

    /** The scheduler name that jobs ask for. */
    public FirstFit(String name) {
        this.name = name;
    }

    @Override
    public Schedule place(PlacementView view, List<PendingGang> gangs) {
        List<FreeNode> nodes = view.nodes().stream().map(FreeNode::new).toList();
        Plan.Builder plan = Plan.newBuilder()
                .setScheduler(name)
                .setSeenRevision(view.revision())
                .setMode(PlanMode.PLAN_MODE_PER_GROUP);
        Map<String, String> reasons = new LinkedHashMap<>();
        for (PendingGang gang : gangs) {
            List<Taken> taken = new ArrayList<>();
            Optional<String> reason = placeGang(gang, nodes, taken);
            if (reason.isEmpty()) {
                plan.addGangs(gangPlacement(gang, taken));
            } else {
                taken.forEach(place -> place.node.release(place.claim));
                reasons.put(gang.jobUid(), reason.get());
            }
        }
        return new Schedule(plan.build(), reasons);
    }

    private record Taken(String group, int index, FreeNode node, Claim claim) {}

    /** Takes places for every task; answers with what stands in the way of the first that finds none. */
    private static Optional<String> placeGang(PendingGang gang, List<FreeNode> nodes, List<Taken> taken) {
        for (TaskGroup group : gang.spec().getGroupsList()) {
            int from = 0;
            for (int index = 0; index < group.getCount(); index++) {
                // Tasks of one group are alike: where the one before found no place, neither does this one.
                Optional<Claim> claim = Optional.empty();
                while (from < nodes.size() && claim.isEmpty()) {
                    claim = nodes.get(from).fit(group.getResources());
                    from += claim.isEmpty() ? 1 : 0;
                }
                if (claim.isEmpty()) {
                    return Optional.of(explain(group, index, nodes));
                }
                nodes.get(from).take(claim.get());
                taken.add(new Taken(group.getName(), index, nodes.get(from), claim.get()));
            }
        }
        return Optional.empty();
    }

    private static String explain(TaskGroup group, int placed, List<FreeNode> nodes) {
        String have = "group " + group.getName() + ": " + placed + " of " + group.getCount() + " tasks fit now";
        return nodes.stream()
                .map(node -> node.shortage(group.getResources()))
                .min(Shortage::compareTo)
                .map(nearest ->
                        have + "; the next would start with " + nearest.describe() + " more on " + nearest.node())
                .orElse("no node is ready (expected: at least one registered node that is not suspected or lost)");
    }

    private static GangPlacement gangPlacement(PendingGang gang, List<Taken> taken) {
        GangPlacement.Builder placed = GangPlacement.newBuilder()
                .setJobUid(gang.jobUid())
                .setGeneration(gang.generation())
                .setAttempt(gang.attempt());
        for (Taken place : taken) {
            placed.addPlacements(Placement.newBuilder()
                    .setGroup(place.group)
                    .setIndex(place.index)
                    .setNode(place.node.name())
                    .setNodeEpoch(place.node.epoch())
                    .setClaim(place.claim));
        }
        return placed.build();
    }
}
