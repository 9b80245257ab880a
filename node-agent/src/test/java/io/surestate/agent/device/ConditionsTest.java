package io.surestate.agent.device;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.Limits;
import io.surestate.api.v1.NodeCondition;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConditionsTest {
    private final Conditions conditions = new Conditions();

    @Test
    void aTroubleIsToldAtOnceAndIsOverAfterSeveralGoodLooks() {
        hear("a", "hangs", 1);
        assertThat(reasons()).containsExactly("hangs");
        hear("a", "", Conditions.LOOKS_UNTIL_OVER - 1);
        assertThat(reasons()).containsExactly("hangs");
        hear("a", "", 1);
        assertThat(reasons()).isEmpty();
    }

    @Test
    void aTroubleThatComesAndGoesStays() {
        for (int i = 0; i < 100; i++) {
            hear("a", i % 2 == 0 ? "hangs" : "", 1);
            assertThat(reasons()).containsExactly("hangs");
        }
    }

    @Test
    void anotherReasonIsToldOnceItHolds() {
        hear("a", "hangs", 1);
        hear("a", "exit code 1", Conditions.LOOKS_UNTIL_OTHER_REASON - 1);
        assertThat(reasons()).containsExactly("hangs");
        hear("a", "exit code 1", 1);
        assertThat(reasons()).containsExactly("exit code 1");
    }

    @Test
    void numberAndLengthAreBounded() {
        for (int i = 0; i < 2 * Limits.CONDITIONS_PER_NODE_MAX; i++) {
            hear("name" + i, "x".repeat(10_000), 1);
        }
        assertThat(reasons())
                .hasSize(Limits.CONDITIONS_PER_NODE_MAX)
                .allMatch(reason -> reason.length() == Limits.CONDITION_REASON_CHARS_MAX);
    }

    private void hear(String name, String reason, int times) {
        for (int i = 0; i < times; i++) {
            conditions.heard(name, reason);
        }
    }

    private List<String> reasons() {
        return conditions.told().getConditionsList().stream()
                .map(NodeCondition::getReason)
                .toList();
    }
}
