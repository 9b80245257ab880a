package io.surestate.cli.cluster;

import io.surestate.api.v1.ClusterGrpc;
import io.surestate.api.v1.ListServersRequest;
import io.surestate.api.v1.Server;
import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.output.OutputOption;
import io.surestate.cli.output.Printer;
import io.surestate.cli.output.Resource;
import io.surestate.cli.output.Table;
import io.surestate.manifest.dialect.EnumNames;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ssctl server list}. */
@Command(
        description = "List the servers as the one that answers sees them.",
        footer = {"", "Example:", "  ssctl server list"})
public final class ServerList implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Mixin
    private final OutputOption output = new OutputOption();

    public ServerList(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        try (Session session = connection.open()) {
            List<Server> servers = session
                    .call(ClusterGrpc.getListServersMethod(), ListServersRequest.getDefaultInstance())
                    .getServersList()
                    .stream()
                    .sorted(Comparator.comparing(Server::getId))
                    .toList();
            new Printer(context.out(), output.format())
                    .many(
                            "servers",
                            servers.stream()
                                    .map(server -> Resource.of(server.getId(), server))
                                    .toList(),
                            () -> table(servers));
        }
        return ExitCode.DONE;
    }

    private static String table(List<Server> servers) {
        Table table = new Table("ID", "ROLE", "CLIENT ADDRESS", "PEER ADDRESS", "TERM", "REVISION", "VERSION");
        for (Server server : servers) {
            table.row(
                    server.getId(),
                    EnumNames.shortName(server.getRole().getValueDescriptor()),
                    server.getClientAddress(),
                    server.getPeerAddress(),
                    server.getTerm() == 0 ? "" : server.getTerm(),
                    server.getAppliedRevision() == 0 ? "" : server.getAppliedRevision(),
                    server.getVersion());
        }
        return table.toString();
    }
}
