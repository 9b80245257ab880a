package io.surestate.server.leader;

import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.InitCluster;
import io.surestate.server.apply.Views;
import io.surestate.server.commit.ClusterClock;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the first command of a new cluster: its identity and settings. */
public final class ClusterInit implements LeaderDuty {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterInit.class);

    private final Views views;
    private final Proposals proposals;
    private final ClusterClock clock;
    private final LongSupplier wallMillis;
    private final InitCluster command;
    private boolean proposed;

    /** {@code wallMillis} seeds cluster time. */
    public ClusterInit(LeaderEnvironment at, LongSupplier wallMillis, InitCluster command) {
        this.views = at.views();
        this.clock = at.clock();
        this.wallMillis = wallMillis;
        this.command = command;
        this.proposals = at.proposals();
    }

    @Override
    public void begin(long term) {
        proposed = false;
        poll();
    }

    @Override
    public void poll() {
        if (proposed || views.newest().state().initialised()) {
            return;
        }
        proposed = true;
        clock.seed(wallMillis.getAsLong());
        proposals.propose(Envelope.newBuilder().setInitCluster(command), (outcome, failure) -> {
            if (failure == null) {
                LOG.info("action=init-cluster cluster={}", command.getClusterId());
            } else {
                proposed = false;
            }
        });
    }

    @Override
    public void end() {
        proposed = false;
    }
}
