package io.surestate.scheduler;

import io.surestate.api.GroupSize;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.JobType;
import io.surestate.api.v1.TaskGroup;
import io.surestate.scheduler.PendingGang.Joined;
import io.surestate.scheduler.gang.Arrangement;
import io.surestate.scheduler.gang.GangAsk;
import io.surestate.scheduler.gang.GroupAsk;
import io.surestate.scheduler.gang.GrowthAsk;
import io.surestate.scheduler.gang.TaskPlace;
import io.surestate.scheduler.pool.NodeSet;
import io.surestate.scheduler.pool.Shape;
import java.util.List;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;

/** What a job's spec asks of the pool. Pure. */
final class Asks {
    private Asks() {}

    /** Of a gang that waits, what it would like first; the last is what it needs. */
    static List<GangAsk> starts(JobSpec spec) {
        boolean aligns = spec.getType() == JobType.JOB_TYPE_HPC
                && spec.getGroupsList().stream()
                        .allMatch(group -> group.getResources().getCpuMillicores() > 0)
                && !aligned(spec).equals(spec);
        return aligns ? List.of(start(aligned(spec)), start(spec)) : List.of(start(spec));
    }

    /** Cores and devices of each task in one NUMA place. */
    private static JobSpec aligned(JobSpec spec) {
        JobSpec.Builder aligned = spec.toBuilder();
        aligned.getGroupsBuilderList()
                .forEach(group -> group.getResourcesBuilder().setNumaAligned(true));
        return aligned.build();
    }

    private static GangAsk start(JobSpec spec) {
        List<GroupAsk> groups = spec.getGroupsList().stream()
                .map(group -> new GroupAsk(
                        group.getName(),
                        Shape.of(group.getResources()),
                        GroupSize.target(group),
                        GroupSize.min(group),
                        group.getSpares(),
                        group.getTopology()))
                .toList();
        return new GangAsk(groups, spec.getTopology(), arrangement(spec.getType()));
    }

    private static Arrangement arrangement(JobType type) {
        return switch (type) {
            case JOB_TYPE_AI_TRAINING, JOB_TYPE_HPC -> Arrangement.NEAR;
            case JOB_TYPE_SERVICE -> Arrangement.APART;
            default -> Arrangement.ANY;
        };
    }

    /**
     * Of a gang that runs, for each group that wants more.
     *
     * @param indexOf where a node stands in the pool; empty = it was never shown
     */
    static List<GrowthAsk> growth(JobSpec spec, List<Joined> joined, Function<String, OptionalInt> indexOf) {
        NodeSet gangNodes = NodeSet.of(joined.stream()
                .flatMapToInt(task -> indexOf.apply(task.node()).stream())
                .toArray());
        return spec.getGroupsList().stream()
                .map(group -> growth(group, spec, joined, gangNodes, indexOf))
                .filter(ask -> !ask.open().isEmpty())
                .toList();
    }

    private static GrowthAsk growth(
            TaskGroup group,
            JobSpec spec,
            List<Joined> joined,
            NodeSet gangNodes,
            Function<String, OptionalInt> indexOf) {
        TreeMap<Integer, String> members = new TreeMap<>();
        joined.stream()
                .filter(task -> task.group().equals(group.getName()))
                .forEach(task -> members.put(task.index(), task.node()));
        TreeMap<Integer, Integer> nodes = new TreeMap<>();
        members.forEach((index, node) -> indexOf.apply(node).ifPresent(at -> nodes.put(index, at)));
        List<Integer> open = IntStream.range(0, group.getCount())
                .filter(index -> !members.containsKey(index))
                .limit(Math.max(0, GroupSize.target(group) - members.size()))
                .boxed()
                .toList();
        return new GrowthAsk(
                group.getName(),
                Shape.of(group.getResources()),
                open,
                nodes,
                gangNodes,
                group.getTopology(),
                spec.getTopology());
    }

    /** The index that the ledger knows a place by: spare places come after all tasks that the group may have, wanted or not. */
    static int index(PendingGang gang, TaskPlace task) {
        TaskGroup group = gang.ways().get(0).getGroupsList().stream()
                .filter(candidate -> candidate.getName().equals(task.group()))
                .findFirst()
                .orElseThrow();
        int wanted = GroupSize.target(group);
        return gang.joined().isEmpty() && task.index() >= wanted
                ? group.getCount() + task.index() - wanted
                : task.index();
    }
}
