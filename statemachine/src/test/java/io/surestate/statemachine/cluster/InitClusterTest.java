package io.surestate.statemachine.cluster;

import static io.surestate.statemachine.fixture.TestCluster.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.Limits;
import io.surestate.api.v1.ErrorCode;
import io.surestate.log.v1.Envelope;
import io.surestate.statemachine.fixture.Commands;
import io.surestate.statemachine.fixture.TestCluster;
import org.junit.jupiter.api.Test;

class InitClusterTest {
    @Test
    void nothingHappensBeforeTheBootstrap() {
        try (TestCluster cluster = TestCluster.empty()) {
            assertRefused(cluster.run(Commands.register("n1")), ErrorCode.ERROR_CODE_ILLEGAL_STATE);
            assertRefused(
                    cluster.run(Commands.request("r1", Long.MAX_VALUE, Commands.submit("a", Commands.gang(1)))),
                    ErrorCode.ERROR_CODE_ILLEGAL_STATE);
            assertThat(cluster.state().counts().outcomes()).isZero();
        }
    }

    @Test
    void theBootstrapSetsDefaultsOnce() {
        try (TestCluster cluster = TestCluster.empty()) {
            cluster.run(Commands.init());
            assertThat(cluster.state().meta().getSettings().getLeaseMillis()).isEqualTo(Limits.LEASE_MILLIS_DEFAULT);
            assertThat(cluster.state().meta().getFeatureLevel()).isEqualTo(1);
            assertThat(cluster.state().meta().getTimeMillis()).isEqualTo(cluster.timeMillis());
            assertRefused(cluster.run(Commands.init()), ErrorCode.ERROR_CODE_ILLEGAL_STATE);
        }
    }

    @Test
    void settingsOutsideTheirRangeAreRefused() {
        try (TestCluster cluster = TestCluster.empty()) {
            Envelope.Builder init = Commands.init().toBuilder();
            init.getInitClusterBuilder().getSettingsBuilder().setLeaseMillis(Limits.LEASE_MILLIS_MIN - 1);
            assertRefused(cluster.run(init.build()), ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
            init.getInitClusterBuilder().getSettingsBuilder().setLeaseMillis(-1);
            assertRefused(cluster.run(init.build()), ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
        }
    }

    @Test
    void aDutyOfAnotherTermIsRefused() {
        try (TestCluster cluster = TestCluster.with("n1")) {
            Envelope suspect = Commands.suspect("n1", cluster.epoch("n1"));
            assertRefused(
                    cluster.run(suspect.toBuilder()
                            .setRequiredTerm(TestCluster.TERM - 1)
                            .build()),
                    ErrorCode.ERROR_CODE_ILLEGAL_STATE);
            assertThat(cluster.run(suspect.toBuilder()
                                    .setRequiredTerm(TestCluster.TERM)
                                    .build())
                            .hasAccepted())
                    .isTrue();
        }
    }

    @Test
    void timeNeverGoesBack() {
        try (TestCluster cluster = TestCluster.with()) {
            long before = cluster.state().meta().getTimeMillis();
            cluster.advance(-5_000);
            cluster.run(Commands.tick());
            assertThat(cluster.state().meta().getTimeMillis()).isEqualTo(before);
        }
    }

    @Test
    void anUnknownCommandIsRefused() {
        try (TestCluster cluster = TestCluster.with()) {
            assertRefused(cluster.run(Envelope.getDefaultInstance()), ErrorCode.ERROR_CODE_UNSUPPORTED);
        }
    }
}
