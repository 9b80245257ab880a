package io.surestate.server.commit;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.ClusterMeta;
import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.StateEngine;
import io.surestate.statemachine.StateView;
import io.surestate.statemachine.state.Change;
import io.surestate.statemachine.store.InMemoryStateStore;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterClockTest {
    private long nanos = 5_000_000_000L;
    private final ClusterClock clock = new ClusterClock(() -> nanos);

    private void pass(long millis) {
        nanos += millis * 1_000_000;
    }

    private void apply(long timeMillis) {
        clock.applied(List.of(new AppliedEntry(1, timeMillis, List.of(), List.of())));
    }

    @Test
    void onlyTheMonotonicClockAdvancesIt() {
        clock.seed(1_000);
        pass(250);
        assertThat(clock.millis()).isEqualTo(1_250);
    }

    @Test
    void aFollowerGoesOnFromEachEntryThatItApplies() {
        apply(10_000);
        pass(5_000);
        apply(11_000);
        assertThat(clock.millis()).isEqualTo(11_000);
        pass(1);
        assertThat(clock.millis()).isEqualTo(11_001);
    }

    @Test
    void aLeaderIsNotMadeLateByTheTimeThatItsOwnEntriesTake() {
        apply(10_000);
        clock.lead(true);
        for (int i = 1; i <= 10; i++) {
            long proposed = clock.millis();
            pass(100);
            apply(proposed);
        }
        assertThat(clock.millis()).isEqualTo(11_000);
    }

    @Test
    void aLeaderNeverFallsBehindWhatItApplied() {
        clock.lead(true);
        apply(50_000);
        assertThat(clock.millis()).isEqualTo(50_000);
    }

    @Test
    void aRestoredStateSetsItToItsOwnTime() {
        apply(90_000);
        try (StateEngine empty = StateEngine.open(new InMemoryStateStore())) {
            StateView view = empty.view();
            clock.restored(new StateView(
                    view.state()
                            .apply(new Change.MetaPut(ClusterMeta.newBuilder()
                                    .setTimeMillis(70_000)
                                    .build())),
                    view.history(),
                    0,
                    0));
        }
        pass(5);
        assertThat(clock.millis()).isEqualTo(70_005);
    }
}
