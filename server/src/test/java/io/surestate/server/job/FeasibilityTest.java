package io.surestate.server.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Job;
import io.surestate.scheduler.PoolScheduler;
import io.surestate.scheduler.policy.Policies;
import io.surestate.server.api.Refused;
import io.surestate.server.fixture.LoneServer;
import io.surestate.server.fixture.NoAgent;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FeasibilityTest {
    private final LoneServer server = LoneServer.leading();
    private final Feasibility feasibility = new Feasibility(
            new PoolScheduler("default", new Policies().named("bestfit").orElseThrow(), new SplittableRandom(1)));

    private Optional<Refused> refusal(int tasks, long millicores) {
        return refusal(LoneServer.job("job", tasks, millicores));
    }

    private Optional<Refused> refusal(Job job) {
        return feasibility.refusal(
                server.core().applyLoop().views().newest(), JobAdmission.admit(job, "default", "anonymous"));
    }

    private void register(String node) {
        server.core().agents().hello(new NoAgent(), LoneServer.hello(node, "i", 4));
        server.settle();
    }

    @Test
    void nothingIsRefusedBeforeAnyNodeIsThere() {
        assertThat(refusal(1, 64_000)).isEmpty();
    }

    @Test
    void whatCouldNeverRunIsRefusedWithTheReason() {
        register("n1");
        assertThat(refusal(4, 1_000)).isEmpty();
        assertThat(refusal(5, 1_000)).hasValueSatisfying(refused -> {
            assertThat(refused.detail().getCode()).isEqualTo(ErrorCode.ERROR_CODE_UNSATISFIABLE);
            assertThat(refused.getMessage())
                    .contains("group g: 4 of 5 tasks fit")
                    .contains("1000m cpu more on n1")
                    .contains("--allow-future");
        });
    }

    @Test
    void whatIsOnlyFullNowIsNotRefused() {
        register("n1");
        server.submit(LoneServer.job("holder", 4, 1_000));
        server.advance(500);
        assertThat(server.state().counts().allocations()).isEqualTo(4);
        assertThat(refusal(1, 2_000)).isEmpty();
    }

    @Test
    void hardwareThatComesIsSeenAndOtherSchedulersAreLeftAlone() {
        register("n1");
        assertThat(refusal(8, 1_000)).isPresent();
        Job elsewhere = LoneServer.job("job", 8, 1_000);
        assertThat(refusal(elsewhere.toBuilder()
                        .setSpec(elsewhere.getSpec().toBuilder().setScheduler("mine"))
                        .build()))
                .isEmpty();
        register("n2");
        assertThat(refusal(8, 1_000)).isEmpty();
    }
}
