package io.surestate.cli.connect;

import io.surestate.cli.CliContext;
import io.surestate.cli.input.Durations;
import io.surestate.client.ClusterClient;
import io.surestate.client.Endpoint;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

/** The options that say which cluster is asked and how long; every command knows them. One thread. */
public final class Connection {
    private final CliContext context;

    @Option(
            names = "--server",
            paramLabel = "HOST:PORT[,...]",
            scope = ScopeType.INHERIT,
            order = 1_000,
            description = "Servers to ask, in any order. Else SSCTL_SERVER, else server: in "
                    + "~/.config/surestate/config.yaml, else 127.0.0.1:7300.")
    private String server = "";

    @Option(
            names = "--tenant",
            paramLabel = "TENANT",
            scope = ScopeType.INHERIT,
            order = 1_001,
            description = "Whose jobs are meant. Default: default; lists show all.")
    private String tenant = "";

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            scope = ScopeType.INHERIT,
            order = 1_002,
            description = "How long one request may take, such as 500ms or 1m. Default: 15s.")
    private String timeout = "15s";

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            scope = ScopeType.INHERIT,
            order = 1_003,
            description = "Show this help and exit.")
    private boolean help;

    public Connection(CliContext context) {
        this.context = context;
    }

    /** Opens a session; no connection is made before the first call. */
    public Session open() {
        List<Endpoint> servers = new ServerSetting(context.environment(), context.home()).servers(server);
        return new Session(new ClusterClient(servers, context.random()), timeout(), tenant, context.random());
    }

    /** A session with exactly these servers, whatever the options say; each call may take {@code limit}. */
    public Session open(List<Endpoint> servers, Duration limit) {
        return new Session(new ClusterClient(servers, context.random()), limit, tenant, context.random());
    }

    private Duration timeout() {
        return Durations.of("--timeout", timeout);
    }

    /** Empty = not given. */
    public String tenant() {
        return tenant;
    }

    boolean helpAsked() {
        return help;
    }
}
