package io.surestate.cli.cluster;

import io.surestate.api.v1.ClusterGrpc;
import io.surestate.api.v1.GetStatusRequest;
import io.surestate.api.v1.GetStatusResponse;
import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.output.Ages;
import io.surestate.cli.output.OutputOption;
import io.surestate.cli.output.Printer;
import io.surestate.cli.output.Resource;
import io.surestate.cli.output.Table;
import io.surestate.client.ClusterTime;
import io.surestate.manifest.Quantity;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ssctl status}, and {@code ssctl cluster status}. */
@Command(
        description = "Show how the cluster is doing.",
        footer = {"", "Examples:", "  ssctl status", "  ssctl cluster status      the same"})
public final class Status implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Mixin
    private final OutputOption output = new OutputOption();

    public Status(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        try (Session session = connection.open()) {
            GetStatusResponse status =
                    session.call(ClusterGrpc.getGetStatusMethod(), GetStatusRequest.getDefaultInstance());
            new Printer(context.out(), output.format())
                    .one(Resource.of(status.getMeta().getClusterId(), status), () -> view(status));
        }
        return ExitCode.DONE;
    }

    private static String view(GetStatusResponse status) {
        return new Table()
                .row("Cluster:", status.getMeta().getClusterId())
                .row("Servers:", status.getServersReachable() + " of " + status.getServersTotal() + " reachable")
                .row("Leader:", status.getLeaderId() + ", term " + status.getTerm())
                .row("Revision:", status.getRevision())
                .row(
                        "Nodes:",
                        status.getNodesReady() + " ready, " + status.getNodesSuspected() + " suspected, "
                                + status.getNodesLost() + " lost")
                .row(
                        "Jobs:",
                        status.getJobsPending() + " pending, " + status.getJobsActive() + " active, "
                                + status.getJobsFinished() + " finished")
                .row("Allocations:", status.getAllocations())
                .row(
                        "Lease:",
                        Quantity.formatDuration(status.getMeta().getSettings().getLeaseMillis()))
                .pair("Frozen:", frozen(status))
                .row("Version:", status.getVersion())
                .toString();
    }

    /** Empty = it is not. */
    private static String frozen(GetStatusResponse status) {
        long until = status.getMeta().getFrozenUntilMillis();
        long now = ClusterTime.of(status);
        return until <= now
                ? ""
                : "until " + Ages.clock(until) + " UTC of cluster time, " + Ages.length(until - now)
                        + " left; no node is given up";
    }
}
