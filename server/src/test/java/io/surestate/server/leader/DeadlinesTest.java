package io.surestate.server.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.FreezeCluster;
import io.surestate.server.fixture.LoneServer;
import org.junit.jupiter.api.Test;

class DeadlinesTest {
    private static final long FREEZE_MILLIS = 10_000;

    private final LoneServer server = LoneServer.leading();

    private long logMillis() {
        return server.state().meta().getTimeMillis();
    }

    @Test
    void timePassesInTheLogWhileTheClusterIsFrozenAndNotAfterIt() {
        var unused = server.core()
                .commit()
                .submit(Envelope.newBuilder()
                        .setFreezeCluster(FreezeCluster.newBuilder().setForMillis(FREEZE_MILLIS))
                        .build());
        server.settle();
        long frozenUntil = server.state().meta().getFrozenUntilMillis();
        long before = logMillis();

        server.advance(FREEZE_MILLIS / 2);
        assertThat(logMillis()).isBetween(before + FREEZE_MILLIS / 2 - 1_100, before + FREEZE_MILLIS / 2);

        server.advance(FREEZE_MILLIS);
        assertThat(logMillis()).isBetween(frozenUntil - 1_100, frozenUntil + 1_100);
        assertThat(server.core().clock().millis()).isGreaterThan(frozenUntil + 1_100);
    }
}
