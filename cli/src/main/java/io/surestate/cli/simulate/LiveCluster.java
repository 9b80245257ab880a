package io.surestate.cli.simulate;

import io.surestate.api.v1.AcceleratorModel;
import io.surestate.api.v1.ClusterGrpc;
import io.surestate.api.v1.GetStatusRequest;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.api.v1.SubmitJobRequest;
import io.surestate.api.v1.WatchFilter;
import io.surestate.api.v1.WatchRequest;
import io.surestate.cli.CliException;
import io.surestate.cli.connect.Session;
import io.surestate.client.ResumingWatch;
import io.surestate.client.WatchBatch;
import io.surestate.sim.cluster.ClusterCopy;
import io.surestate.sim.cluster.VirtualCluster;
import java.util.List;
import java.util.Optional;

/** A running cluster, read whole at one revision. Nothing is changed there. Used by one thread. */
final class LiveCluster {
    private static final WatchRequest EVERYTHING = WatchRequest.newBuilder()
            .setInitialList(true)
            .setFilter(WatchFilter.newBuilder()
                    .setJobs(true)
                    .setNodes(true)
                    .setAllocations(true)
                    .setHolds(true))
            .build();

    private final Session session;

    LiveCluster(Session session) {
        this.session = session;
    }

    /** A copy of it. */
    VirtualCluster copy() {
        List<AcceleratorModel> accelerators = session.call(
                        ClusterGrpc.getGetStatusMethod(), GetStatusRequest.getDefaultInstance())
                .getMeta()
                .getAcceleratorsList();
        ClusterCopy copy = new ClusterCopy(accelerators);
        try (ResumingWatch watch = session.watch(EVERYTHING)) {
            for (Optional<WatchBatch> batch = watch.next(); batch.isPresent(); batch = watch.next()) {
                if (batch.get().kind() == WatchBatch.Kind.LIST_BEGINS) {
                    copy = new ClusterCopy(accelerators);
                }
                batch.get().events().forEach(copy::add);
                if (batch.get().kind() == WatchBatch.Kind.LIST_ENDS) {
                    return copy.build(batch.get().revision(), batch.get().timeMillis());
                }
            }
        }
        throw CliException.refused("UNAVAILABLE: the list of the cluster ended early (expected: all of it)");
    }

    /** The job as the servers would take it: checked, with its defaults. It is not submitted. */
    Job checked(Job asked) {
        return session.call(
                        JobsGrpc.getSubmitJobMethod(),
                        SubmitJobRequest.newBuilder()
                                .setHeader(session.header("").toBuilder().setValidateOnly(true))
                                .setJob(asked)
                                .setAllowFuture(true)
                                .build())
                .getJob();
    }
}
