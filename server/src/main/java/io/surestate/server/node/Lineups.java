package io.surestate.server.node;

import io.surestate.api.v1.Gang;
import io.surestate.api.v1.GangNode;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.Rank;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskState;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.JobEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How the gangs of one state line up: each is looked at once, however many of its nodes are told. Leader loop only. */
final class Lineups {
    private final ClusterState state;
    private final Map<String, Lineup> known = new HashMap<>();

    Lineups(ClusterState state) {
        this.state = state;
    }

    ClusterState state() {
        return state;
    }

    /**
     * The members of one gang.
     *
     * @param ranks by position among the job's tasks
     */
    record Lineup(Gang gang, Map<Integer, Rank> ranks) {}

    Lineup of(JobEntry job) {
        return known.computeIfAbsent(job.job().getUid(), uid -> lineUp(job));
    }

    private Lineup lineUp(JobEntry job) {
        Map<Integer, Rank> ranks = new HashMap<>();
        Map<String, Integer> nodes = new LinkedHashMap<>();
        List<Integer> slots = new ArrayList<>();
        int attempt = 0;
        for (int position = 0; position < job.tasks().size(); position++) {
            Task task = job.tasks().get(position);
            if (!isMember(task)) {
                continue;
            }
            attempt = ranks.isEmpty() ? task.getAttempt() : attempt;
            int node = nodes.computeIfAbsent(task.getNode(), name -> nodes.size());
            if (node == slots.size()) {
                slots.add(0);
            }
            ranks.put(
                    position,
                    Rank.newBuilder()
                            .setGlobal(ranks.size())
                            .setLocal(slots.get(node))
                            .setNode(node)
                            .build());
            slots.set(node, slots.get(node) + 1);
        }
        Gang.Builder gang = Gang.newBuilder()
                .setJobUid(job.job().getUid())
                .setTasks(ranks.size())
                .setAttempt(attempt);
        nodes.forEach((name, node) -> gang.addNodes(node(name, slots.get(node))));
        return new Lineup(gang.build(), ranks);
    }

    /** One that has a place, or had one in this attempt of its gang. */
    static boolean isMember(Task task) {
        return task.getState() != TaskState.TASK_STATE_PENDING && !task.getLeaving();
    }

    private GangNode node(String name, int slots) {
        NodeSpec spec = state.node(name).map(entry -> entry.node().getSpec()).orElse(NodeSpec.getDefaultInstance());
        String address = spec.getAddress().isEmpty() ? spec.getHostname() : spec.getAddress();
        return GangNode.newBuilder()
                .setName(name)
                .setAddress(address.equals(name) ? "" : address)
                .setSlots(slots)
                .build();
    }
}
