package io.surestate.agent.device;

import io.surestate.api.Limits;
import io.surestate.api.v1.NodeCondition;
import io.surestate.api.v1.NodeConditionList;
import java.util.Map;
import java.util.TreeMap;

/**
 * What is the matter with the node, told slowly: a trouble is there at once, another reason of it after it held for some looks, and it is
 * over after more looks without it. One thread.
 */
final class Conditions {
    static final int LOOKS_UNTIL_OTHER_REASON = 3;
    static final int LOOKS_UNTIL_OVER = 6;

    /**
     * How it stands with one name.
     *
     * @param told what is said of it
     * @param heard what the last look said; empty = no trouble
     * @param times it said so in a row
     */
    private record Standing(String told, String heard, int times) {
        Standing after(String reason) {
            int now = reason.equals(heard) ? times + 1 : 1;
            boolean told = now >= (reason.isEmpty() ? LOOKS_UNTIL_OVER : LOOKS_UNTIL_OTHER_REASON);
            return new Standing(told ? reason : this.told, reason, now);
        }
    }

    private final Map<String, Standing> standings = new TreeMap<>();

    /** @param reason what a look says is the matter; empty = nothing */
    void heard(String name, String reason) {
        String cut = reason.substring(0, Math.min(reason.length(), Limits.CONDITION_REASON_CHARS_MAX));
        Standing before = standings.get(name);
        if (before == null && !cut.isEmpty()) {
            standings.put(name, new Standing(cut, cut, 1));
        } else if (before != null) {
            Standing after = before.after(cut);
            if (after.told().isEmpty()) {
                standings.remove(name);
            } else {
                standings.put(name, after);
            }
        }
    }

    /** Ascending by name, as many as may be told. */
    NodeConditionList told() {
        NodeConditionList.Builder list = NodeConditionList.newBuilder();
        standings.entrySet().stream()
                .limit(Limits.CONDITIONS_PER_NODE_MAX)
                .forEach(entry -> list.addConditions(NodeCondition.newBuilder()
                        .setName(entry.getKey())
                        .setReason(entry.getValue().told())));
        return list.build();
    }
}
