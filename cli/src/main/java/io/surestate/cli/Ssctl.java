package io.surestate.cli;

import io.surestate.cli.cluster.Freeze;
import io.surestate.cli.cluster.ServerList;
import io.surestate.cli.cluster.Status;
import io.surestate.cli.cluster.Unfreeze;
import io.surestate.cli.completion.Completion;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.dev.Dev;
import io.surestate.cli.job.JobCancel;
import io.surestate.cli.job.JobEvents;
import io.surestate.cli.job.JobExec;
import io.surestate.cli.job.JobGet;
import io.surestate.cli.job.JobList;
import io.surestate.cli.job.JobLogs;
import io.surestate.cli.job.JobResize;
import io.surestate.cli.job.JobRun;
import io.surestate.cli.job.JobSubmit;
import io.surestate.cli.job.JobWait;
import io.surestate.cli.ledger.AllocList;
import io.surestate.cli.ledger.AllocRelease;
import io.surestate.cli.ledger.HoldConfirm;
import io.surestate.cli.ledger.HoldList;
import io.surestate.cli.ledger.HoldRelease;
import io.surestate.cli.ledger.LedgerHistory;
import io.surestate.cli.ledger.PlanCommit;
import io.surestate.cli.ledger.PlanHold;
import io.surestate.cli.node.NodeCordon;
import io.surestate.cli.node.NodeDrain;
import io.surestate.cli.node.NodeFence;
import io.surestate.cli.node.NodeGet;
import io.surestate.cli.node.NodeList;
import io.surestate.cli.node.NodeRegister;
import io.surestate.cli.node.NodeRemove;
import io.surestate.cli.node.NodeTop;
import io.surestate.cli.node.NodeUncordon;
import io.surestate.cli.node.NodeUndrain;
import io.surestate.cli.node.TopologyImport;
import io.surestate.cli.node.TopologyShow;
import io.surestate.cli.quickstart.Quickstart;
import io.surestate.cli.request.RequestGet;
import io.surestate.cli.simulate.Simulate;
import io.surestate.cli.units.UnitsList;
import io.surestate.cli.units.UnitsRemove;
import io.surestate.cli.units.UnitsSet;
import io.surestate.cli.watch.WatchChanges;
import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/**
 * The command tree. Only the commands whose names stand among the arguments are built, because building them all would cost more
 * than most commands take; without a match all are built, for help and suggestions. One thread.
 */
public final class Ssctl {
    private final CliContext context;
    private final Connection connection;

    public Ssctl(CliContext context) {
        this.context = context;
        this.connection = new Connection(context);
    }

    /** Runs one command line and returns the exit code. */
    public int run(String... args) {
        return commandLine(Set.copyOf(Arrays.asList(args))).execute(args);
    }

    /** Every command. */
    public CommandLine whole() {
        return commandLine(Set.of());
    }

    private CommandLine commandLine(Set<String> words) {
        CommandLine root = group(new Root(connection), commands(), words);
        Failures failures = new Failures(context.err());
        return root.setExecutionExceptionHandler(failures)
                .setParameterExceptionHandler(failures)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setOut(writer(context.out()))
                .setErr(writer(context.err()));
    }

    private static PrintWriter writer(PrintStream stream) {
        return new PrintWriter(new OutputStreamWriter(stream, StandardCharsets.UTF_8), true);
    }

    private Map<String, Supplier<Object>> commands() {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        commands.put("job", () -> new Group("Submit, watch and stop jobs.", jobCommands()));
        commands.put(
                "node",
                () -> new Group(
                        "Look at nodes, take them out of use and back, and declare dead ones dead.", nodeCommands()));
        commands.put(
                "topology",
                () -> new Group("Look at how the hardware is wired, and read it from files.", topologyCommands()));
        commands.put("alloc", () -> new Group("Look at who holds what, and let go of it.", allocCommands()));
        commands.put("hold", () -> new Group("Confirm and release what is held for a time.", holdCommands()));
        commands.put("plan", () -> new Group("Place by a plan of your own.", planCommands()));
        commands.put(
                "ledger",
                () -> new Group(
                        "Look back at who held what.",
                        Map.of("history", () -> new LedgerHistory(context, connection))));
        commands.put(
                "request",
                () -> new Group(
                        "Ask what became of requests.", Map.of("get", () -> new RequestGet(context, connection))));
        commands.put("watch", () -> new WatchChanges(context, connection));
        commands.put("units", () -> new Group("Say how unlike accelerators compare.", unitsCommands()));
        commands.put("cluster", () -> new Group("Look after the cluster as a whole.", clusterCommands()));
        commands.put(
                "server",
                () -> new Group("Look at the servers.", Map.of("list", () -> new ServerList(context, connection))));
        commands.put("status", () -> new Status(context, connection));
        commands.put("dev", () -> new Dev(context, connection));
        commands.put("quickstart", () -> new Quickstart(context, connection));
        commands.put("simulate", () -> new Simulate(context, connection));
        commands.put("completion", () -> new Completion(context, this::whole));
        commands.put("version", () -> new Version(context));
        return commands;
    }

    private Map<String, Supplier<Object>> jobCommands() {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        commands.put("submit", () -> new JobSubmit(context, connection));
        commands.put("run", () -> new JobRun(context, connection));
        commands.put("list", () -> new JobList(context, connection));
        commands.put("get", () -> new JobGet(context, connection));
        commands.put("wait", () -> new JobWait(context, connection));
        commands.put("cancel", () -> new JobCancel(context, connection));
        commands.put("resize", () -> new JobResize(context, connection));
        commands.put("logs", () -> new JobLogs(context, connection));
        commands.put("exec", () -> new JobExec(context, connection));
        commands.put("events", () -> new JobEvents(context, connection));
        return commands;
    }

    private Map<String, Supplier<Object>> nodeCommands() {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        commands.put("list", () -> new NodeList(context, connection));
        commands.put("get", () -> new NodeGet(context, connection));
        commands.put("top", () -> new NodeTop(context, connection));
        commands.put("register", () -> new NodeRegister(context, connection));
        commands.put("remove", () -> new NodeRemove(context, connection));
        commands.put("cordon", () -> new NodeCordon(context, connection));
        commands.put("uncordon", () -> new NodeUncordon(context, connection));
        commands.put("drain", () -> new NodeDrain(context, connection));
        commands.put("undrain", () -> new NodeUndrain(context, connection));
        commands.put("fence", () -> new NodeFence(context, connection));
        return commands;
    }

    private Map<String, Supplier<Object>> topologyCommands() {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        commands.put("show", () -> new TopologyShow(context, connection));
        commands.put("import", () -> new TopologyImport(context, connection));
        return commands;
    }

    private Map<String, Supplier<Object>> allocCommands() {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        commands.put("list", () -> new AllocList(context, connection));
        commands.put("release", () -> new AllocRelease(context, connection));
        return commands;
    }

    private Map<String, Supplier<Object>> holdCommands() {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        commands.put("list", () -> new HoldList(context, connection));
        commands.put("confirm", () -> new HoldConfirm(context, connection));
        commands.put("release", () -> new HoldRelease(context, connection));
        return commands;
    }

    private Map<String, Supplier<Object>> planCommands() {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        commands.put("commit", () -> new PlanCommit(context, connection));
        commands.put("hold", () -> new PlanHold(context, connection));
        return commands;
    }

    private Map<String, Supplier<Object>> clusterCommands() {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        commands.put("status", () -> new Status(context, connection));
        commands.put("freeze", () -> new Freeze(context, connection));
        commands.put("unfreeze", () -> new Unfreeze(context, connection));
        return commands;
    }

    private Map<String, Supplier<Object>> unitsCommands() {
        Map<String, Supplier<Object>> commands = new LinkedHashMap<>();
        commands.put("set", () -> new UnitsSet(context, connection));
        commands.put("list", () -> new UnitsList(context, connection));
        commands.put("remove", () -> new UnitsRemove(context, connection));
        return commands;
    }

    private static CommandLine group(Object holder, Map<String, Supplier<Object>> commands, Set<String> words) {
        CommandLine line = new CommandLine(holder);
        Map<String, Supplier<Object>> wanted = commands.entrySet().stream()
                .filter(entry -> words.contains(entry.getKey()))
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        Map<String, Supplier<Object>> built = wanted.isEmpty() ? commands : wanted;
        commands.forEach((name, maker) -> {
            if (built.containsKey(name)) {
                Object command = maker.get();
                CommandLine sub =
                        command instanceof Group group ? group(group, group.commands, words) : new CommandLine(command);
                if (command instanceof Group group) {
                    sub.getCommandSpec().usageMessage().description(group.description);
                }
                line.addSubcommand(name, sub);
            }
        });
        return line;
    }

    /** The program itself. */
    @Command(
            name = "ssctl",
            description = "Talks to a Surestate cluster.",
            synopsisSubcommandLabel = "COMMAND",
            footer = {
                "",
                "Exit codes: 0 done, 1 refused, 2 usage, 3 unavailable, 4 outcome unknown.",
                "",
                "Examples:",
                "  ssctl dev                             a cluster of one server and one node, here",
                "  ssctl job run -- echo hello           run a command somewhere",
                "  ssctl job submit -f count-up.yaml     submit a job file",
                "  ssctl job list -o json                what runs, for programs"
            })
    static final class Root implements Runnable {
        @Mixin
        private final Connection connection;

        @Spec
        private CommandSpec spec = CommandSpec.create();

        Root(Connection connection) {
            this.connection = connection;
        }

        @Override
        public void run() {
            throw new CommandLine.ParameterException(spec.commandLine(), "COMMAND: missing");
        }

        Connection connection() {
            return connection;
        }
    }

    /** Commands about one kind of thing. */
    @Command(synopsisSubcommandLabel = "COMMAND")
    static final class Group implements Runnable {
        private final String description;
        private final Map<String, Supplier<Object>> commands;

        @Spec
        private CommandSpec spec = CommandSpec.create();

        Group(String description, Map<String, Supplier<Object>> commands) {
            this.description = description;
            this.commands = commands;
        }

        @Override
        public void run() {
            throw new CommandLine.ParameterException(spec.commandLine(), "COMMAND: missing");
        }
    }
}
