package io.surestate.server.leader;

import io.surestate.api.v1.Settings;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.InitCluster;
import io.surestate.server.apply.Views;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the first command of a new cluster: its identity and settings. */
public final class ClusterInit implements LeaderDuty {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterInit.class);

    private final Views views;
    private final Proposals proposals;
    private final InitCluster command;
    private boolean proposed;

    public ClusterInit(Views views, Proposals proposals, String clusterId, String historyId, Settings settings) {
        this.views = views;
        this.proposals = proposals;
        this.command = InitCluster.newBuilder()
                .setClusterId(clusterId)
                .setHistoryId(historyId)
                .setSettings(settings)
                .build();
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
