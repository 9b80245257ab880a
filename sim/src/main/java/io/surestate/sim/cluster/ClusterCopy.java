package io.surestate.sim.cluster;

import io.surestate.api.Limits;
import io.surestate.api.v1.AcceleratorModel;
import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.ClusterMeta;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Hold;
import io.surestate.api.v1.HoldState;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.Settings;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.WatchEvent;
import io.surestate.statemachine.decision.FeatureLevels;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.Conservation;
import io.surestate.statemachine.state.StateLoader;
import java.util.List;

/** Makes a virtual cluster of the list with which a watch of a running one begins. Used by one thread, once. */
public final class ClusterCopy {
    private static final String CLUSTER = "simulated";
    private static final long TERM = 1;

    private final StateLoader loader = new StateLoader();
    private final List<AcceleratorModel> accelerators;

    /** @param accelerators the cluster's table of models */
    public ClusterCopy(List<AcceleratorModel> accelerators) {
        this.accelerators = List.copyOf(accelerators);
    }

    /** One more entity. Finished jobs, ended holds and what was released are no part of it. */
    public void add(WatchEvent listed) {
        switch (listed.getChangeCase()) {
            case JOB -> job(listed.getJob());
            case TASK -> task(listed.getTask());
            case NODE -> node(listed.getNode());
            case ALLOCATION -> allocation(listed.getAllocation());
            case HOLD -> hold(listed.getHold());
            default -> {
                // Events of jobs are history.
            }
        }
    }

    private void job(Job job) {
        loader.add(job);
    }

    private void task(Task task) {
        loader.add(task);
    }

    private void node(Node node) {
        loader.add(node);
    }

    private void allocation(Allocation allocation) {
        loader.add(allocation);
    }

    private void hold(Hold hold) {
        if (hold.getState() == HoldState.HOLD_STATE_STANDING) {
            loader.add(hold);
        }
    }

    /**
     * The cluster as it stood.
     *
     * @throws ClusterRefusal what was listed does not belong together
     */
    public VirtualCluster build(long revision, long timeMillis) {
        loader.add(ClusterMeta.newBuilder()
                .setClusterId(CLUSTER)
                .setHistoryId(CLUSTER)
                .setFeatureLevel(FeatureLevels.NEWEST)
                .setTimeMillis(timeMillis)
                .addAllAccelerators(accelerators)
                .setSettings(Settings.newBuilder()
                        .setLeaseMillis(Limits.LEASE_MILLIS_DEFAULT)
                        .setLeaseMarginMillis(Limits.LEASE_MARGIN_MILLIS_DEFAULT)
                        .setHeartbeatMillis(Limits.HEARTBEAT_MILLIS_DEFAULT))
                .build());
        ClusterState state = loader.build(revision, TERM);
        List<String> problems = Conservation.problems(state);
        if (!problems.isEmpty()) {
            throw new ClusterRefusal(
                    ErrorCode.ERROR_CODE_INTERNAL, "the cluster at revision " + revision + ": " + problems.get(0));
        }
        return VirtualCluster.of(state);
    }
}
