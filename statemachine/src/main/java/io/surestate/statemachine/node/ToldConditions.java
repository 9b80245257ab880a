package io.surestate.statemachine.node;

import io.surestate.api.Limits;
import io.surestate.api.v1.NodeCondition;
import io.surestate.api.v1.NodeConditionList;
import io.surestate.api.v1.NodeStatus;
import java.util.TreeMap;

/** Conditions that an agent tells of its node. Holds no state. */
final class ToldConditions {
    private ToldConditions() {}

    /** Replaces those of the status; one that held before keeps the time from which it holds. */
    static void replace(NodeStatus.Builder status, NodeConditionList told, long nowMillis) {
        TreeMap<String, NodeCondition> before = new TreeMap<>();
        status.getConditionsList().forEach(condition -> before.put(condition.getName(), condition));
        TreeMap<String, NodeCondition> now = new TreeMap<>();
        for (NodeCondition condition : told.getConditionsList()) {
            NodeCondition known = before.getOrDefault(condition.getName(), NodeCondition.getDefaultInstance());
            now.put(
                    condition.getName(),
                    condition.toBuilder()
                            .setSinceMillis(known.getName().isEmpty() ? nowMillis : known.getSinceMillis())
                            .build());
        }
        status.clearConditions();
        now.values().stream().limit(Limits.CONDITIONS_PER_NODE_MAX).forEach(status::addConditions);
    }
}
