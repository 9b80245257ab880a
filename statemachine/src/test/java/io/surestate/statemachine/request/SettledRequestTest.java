package io.surestate.statemachine.request;

import static io.surestate.statemachine.fixture.TestCluster.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.Limits;
import io.surestate.api.v1.ErrorCode;
import io.surestate.log.v1.AcknowledgeRequests;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.RequestOutcome;
import io.surestate.log.v1.SealRequest;
import io.surestate.statemachine.fixture.Commands;
import io.surestate.statemachine.fixture.Plans;
import io.surestate.statemachine.fixture.TestCluster;
import org.junit.jupiter.api.Test;

class SettledRequestTest {
    private static final long TTL_MILLIS = 600_000;

    private static Envelope submit(TestCluster cluster, String id, String job) {
        return Commands.request(id, cluster.timeMillis() + TTL_MILLIS, Commands.submit(job, Commands.gang(1)));
    }

    private static Envelope seal(String id) {
        return Plans.from()
                .setSealRequest(SealRequest.newBuilder().setRequestId(id))
                .build();
    }

    private static Envelope acknowledge(String id) {
        return Plans.from()
                .setAcknowledgeRequests(AcknowledgeRequests.newBuilder().addRequestIds(id))
                .build();
    }

    @Test
    void aSealedRequestNeverTakesEffect() {
        try (TestCluster cluster = TestCluster.with()) {
            RequestOutcome sealed = cluster.run(seal("r1")).getRequest();
            assertThat(sealed.getSealed()).isTrue();
            assertRefused(cluster.run(submit(cluster, "r1", "train")), ErrorCode.ERROR_CODE_REQUEST_SEALED);
            assertThat(cluster.state().jobs()).isEmpty();
            assertThat(cluster.run(seal("r1")).getRequest()).isEqualTo(sealed);
        }
    }

    @Test
    void aSealOutlivesEveryExpiryThatTheRequestCanHave() {
        try (TestCluster cluster = TestCluster.with()) {
            Envelope request = Commands.request(
                    "r1",
                    cluster.timeMillis() + Limits.REQUEST_TTL_MILLIS_MAX,
                    Commands.submit("train", Commands.gang(1)));
            cluster.run(seal("r1"));
            cluster.advance(Limits.REQUEST_TTL_MILLIS_MAX - 1);
            cluster.run(Commands.tick());
            assertRefused(cluster.run(request), ErrorCode.ERROR_CODE_REQUEST_SEALED);
            cluster.advance(1);
            cluster.run(Commands.tick());
            assertRefused(cluster.run(request), ErrorCode.ERROR_CODE_REQUEST_EXPIRED);
        }
    }

    @Test
    void sealingWhatIsDoneTellsHowItEnded() {
        try (TestCluster cluster = TestCluster.with()) {
            Outcome done = cluster.run(submit(cluster, "r1", "train"));
            RequestOutcome told = cluster.run(seal("r1")).getRequest();
            assertThat(told.getSealed()).isFalse();
            assertThat(told.getOutcome()).isEqualTo(done);
            assertThat(told.getRevision()).isEqualTo(2);
        }
    }

    @Test
    void anAcknowledgedRequestGivesItsRoomBackAndStaysUsed() {
        try (TestCluster cluster = TestCluster.with()) {
            Envelope request = submit(cluster, "r1", "train");
            cluster.run(request);
            assertThat(cluster.state().outcomesOfOwner(Commands.key("r1"))).isEqualTo(1);
            cluster.run(acknowledge("r1"));
            assertThat(cluster.state().outcomesOfOwner(Commands.key("r1"))).isZero();
            assertThat(cluster.state().usedIdsOfOwner(Commands.key("r1"))).isEqualTo(1);
            cluster.run(Commands.cancel("train"));
            assertRefused(cluster.run(request), ErrorCode.ERROR_CODE_REQUEST_ACKNOWLEDGED);
            assertThat(cluster.state().jobs()).isEmpty();
            cluster.advance(TTL_MILLIS);
            cluster.run(Commands.tick());
            assertThat(cluster.state().usedIdsOfOwner(Commands.key("r1"))).isZero();
        }
    }

    @Test
    void acknowledgingWhatIsNotKnownChangesNothing() {
        try (TestCluster cluster = TestCluster.with()) {
            assertThat(cluster.runAll(acknowledge("r9")).changes()).isEmpty();
            cluster.run(seal("r1"));
            assertThat(cluster.runAll(acknowledge("r1")).changes()).isEmpty();
        }
    }
}
