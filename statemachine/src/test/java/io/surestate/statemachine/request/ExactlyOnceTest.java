package io.surestate.statemachine.request;

import static io.surestate.statemachine.fixture.TestCluster.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.Limits;
import io.surestate.api.v1.EnvVar;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.JobSpec;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.Outcome;
import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.fixture.Commands;
import io.surestate.statemachine.fixture.TestCluster;
import org.junit.jupiter.api.Test;

class ExactlyOnceTest {
    private static final long TTL_MILLIS = 10_000;

    @Test
    void aRepeatedRequestGetsTheFirstAnswerAndChangesNothing() {
        try (TestCluster cluster = TestCluster.with()) {
            Envelope request = submit(cluster, "r1", "train");
            Outcome first = cluster.run(request);
            AppliedEntry again = cluster.runAll(request);
            assertThat(again.outcomes()).containsExactly(first);
            assertThat(again.changes()).isEmpty();
            assertThat(cluster.state().jobs()).hasSize(1);
        }
    }

    @Test
    void twiceInOneEntryIsOnce() {
        try (TestCluster cluster = TestCluster.with()) {
            Envelope request = submit(cluster, "r1", "train");
            AppliedEntry applied = cluster.runAll(request, request);
            assertThat(applied.outcomes().get(1)).isEqualTo(applied.outcomes().get(0));
            assertThat(cluster.state().jobs()).hasSize(1);
        }
    }

    @Test
    void aRefusalIsRememberedToo() {
        try (TestCluster cluster = TestCluster.with()) {
            cluster.submit("train", Commands.gang(1));
            Envelope request = submit(cluster, "r1", "train");
            Outcome refused = cluster.run(request);
            assertRefused(refused, ErrorCode.ERROR_CODE_ALREADY_EXISTS);
            cluster.run(Commands.cancel("train"));
            assertThat(cluster.run(request)).isEqualTo(refused);
        }
    }

    @Test
    void anotherBodyUnderTheSameIdIsRefused() {
        try (TestCluster cluster = TestCluster.with()) {
            cluster.run(submit(cluster, "r1", "train"));
            assertRefused(cluster.run(submit(cluster, "r1", "other")), ErrorCode.ERROR_CODE_REQUEST_ID_REUSED);
        }
    }

    @Test
    void idsOfOthersAreOthers() {
        try (TestCluster cluster = TestCluster.with()) {
            cluster.run(submit(cluster, "r1", "train"));
            Envelope.Builder foreign = submit(cluster, "r1", "other").toBuilder();
            foreign.getRequestBuilder().setPrincipal("someone");
            assertThat(cluster.run(foreign.build()).hasJob()).isTrue();
        }
    }

    @Test
    void anExpiredRequestNeverTakesEffect() {
        try (TestCluster cluster = TestCluster.with()) {
            Envelope request = submit(cluster, "r1", "train");
            cluster.advance(TTL_MILLIS);
            assertRefused(cluster.run(request), ErrorCode.ERROR_CODE_REQUEST_EXPIRED);
            assertThat(cluster.state().jobs()).isEmpty();
            assertThat(cluster.state().counts().outcomes()).isZero();
        }
    }

    @Test
    void aTickForgetsWhatExpiredAndNothingElse() {
        try (TestCluster cluster = TestCluster.with()) {
            Envelope old = submit(cluster, "r1", "a");
            cluster.run(old);
            cluster.advance(1);
            cluster.run(submit(cluster, "r2", "b"));
            assertThat(cluster.state().earliestExpiryMillis()).hasValue(old.getExpiresMillis());
            cluster.advance(TTL_MILLIS - 1);
            cluster.run(Commands.tick());
            assertThat(cluster.state().outcome(Commands.key("r1"))).isEmpty();
            assertThat(cluster.state().outcome(Commands.key("r2"))).isPresent();
            assertRefused(cluster.run(old), ErrorCode.ERROR_CODE_REQUEST_EXPIRED);
        }
    }

    @Test
    void anExpiredIdMayBeUsedAgainBeforeTheTick() {
        try (TestCluster cluster = TestCluster.with()) {
            cluster.run(submit(cluster, "r1", "a"));
            cluster.advance(TTL_MILLIS);
            assertThat(cluster.run(submit(cluster, "r1", "b")).hasJob()).isTrue();
            assertThat(cluster.state().counts().outcomes()).isEqualTo(1);
        }
    }

    @Test
    void oneTickForgetsABoundedNumber() {
        try (TestCluster cluster = TestCluster.with()) {
            int requests = Limits.EXPIRIES_PER_TICK_MAX + 5;
            for (int i = 0; i < requests; i += 251) {
                Envelope[] some = new Envelope[Math.min(251, requests - i)];
                for (int k = 0; k < some.length; k++) {
                    some[k] =
                            Commands.request("r" + (i + k), cluster.timeMillis() + TTL_MILLIS, Commands.cancel("none"));
                }
                cluster.runAll(some);
            }
            cluster.advance(TTL_MILLIS);
            cluster.run(Commands.tick());
            assertThat(cluster.state().counts().outcomes()).isEqualTo(5);
            assertThat(cluster.state().outcomesOfOwner(Commands.key("any"))).isEqualTo(5);
        }
    }

    @Test
    void aJobThatIsTooLargeIsAnsweredWithoutItsSpec() {
        try (TestCluster cluster = TestCluster.with()) {
            JobSpec.Builder spec = Commands.gang(1).toBuilder();
            spec.getGroupsBuilder(0)
                    .addEnv(EnvVar.newBuilder().setName("A").setValue("x".repeat(Limits.OUTCOME_BYTES_MAX)));
            Outcome outcome = cluster.run(
                    Commands.request("r1", cluster.timeMillis() + TTL_MILLIS, Commands.submit("train", spec.build())));
            assertThat(outcome.getSerializedSize()).isLessThan(1_000);
            assertThat(cluster.job(outcome.getJob().getUid()).getSpec()).isEqualTo(spec.build());
        }
    }

    private static Envelope submit(TestCluster cluster, String id, String name) {
        return Commands.request(id, cluster.timeMillis() + TTL_MILLIS, Commands.submit(name, Commands.gang(1)));
    }
}
