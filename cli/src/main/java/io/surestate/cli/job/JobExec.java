package io.surestate.cli.job;

import com.google.protobuf.ByteString;
import io.surestate.api.Limits;
import io.surestate.api.v1.ExecResponse;
import io.surestate.api.v1.ExecStart;
import io.surestate.api.v1.Terminal;
import io.surestate.cli.CliContext;
import io.surestate.cli.CliException;
import io.surestate.cli.OutputClosedException;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.client.ExecCall;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ssctl job exec}. */
@Command(
        description = {
            "Run a command within a task that runs: in its folder, with its environment, cores, memory and devices, and within its container.",
            "The exit code is the command's, 128 + n for signal n. The command ends with the task, and with this program."
        },
        footer = {
            "",
            "Examples:",
            "  ssctl job exec train -- nvidia-smi",
            "  ssctl job exec train/worker/3 -it -- bash",
            "  tar c src | ssctl job exec train -i -- tar x",
            "  ssctl job exec train --node node-17 -- env"
        })
public final class JobExec implements Callable<Integer> {
    private static final int PARTS_OF_A_TASK = 3;

    private final CliContext context;
    private final Connection connection;

    @Parameters(
            index = "0",
            paramLabel = "JOB[/GROUP/INDEX]",
            description = "Name or uid, and one task of it. Default: the first task that runs.")
    private String job = "";

    @Parameters(
            index = "1..*",
            arity = "1..*",
            paramLabel = "COMMAND",
            description = "Program and arguments, after --.")
    private List<String> command = List.of();

    @Option(
            names = {"-i", "--stdin"},
            description = "Pass standard input on. Default: the command has none.")
    private boolean input;

    @Option(
            names = {"-t", "--tty"},
            description = "Give the command a terminal; its two outputs become one.")
    private boolean terminal;

    @Option(names = "--node", paramLabel = "NODE", description = "The first task that runs on this node.")
    private String node = "";

    public JobExec(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        boolean raw = terminal && input && context.interactive();
        try (Session session = connection.open();
                LocalTerminal local = new LocalTerminal(raw);
                ExecCall call = session.exec(start(session.tenant(), local))) {
            if (input) {
                context.threads().newThread(() -> feed(call)).start();
            }
            while (true) {
                ExecResponse answer = call.next();
                switch (answer.getBodyCase()) {
                    case OUTPUT -> write(context.out(), answer.getOutput());
                    case ERROR -> write(context.err(), answer.getError());
                    case END -> {
                        if (!answer.getEnd().getReason().isEmpty()) {
                            context.err().println("ssctl: " + answer.getEnd().getReason());
                        }
                        return answer.getEnd().getExitCode();
                    }
                    default -> {
                        // A newer server's word; nothing to do for this program.
                    }
                }
            }
        }
    }

    private ExecStart start(String tenant, LocalTerminal local) {
        ExecStart.Builder start = ExecStart.newBuilder()
                .setTenant(tenant)
                .setNode(node)
                .setInput(input)
                .addAllCommand(command);
        if (terminal) {
            start.setTerminal(Terminal.newBuilder()
                    .setType(context.environment().getOrDefault("TERM", ""))
                    .setRows(local.rows())
                    .setColumns(local.columns()));
        }
        String[] parts = job.split("/", -1);
        if (parts.length == 1) {
            return start.setJob(job).build();
        }
        if (parts.length == PARTS_OF_A_TASK && !parts[1].isEmpty() && parts[2].matches("[0-9]{1,9}")) {
            return start.setJob(parts[0])
                    .setGroup(parts[1])
                    .setIndex(Integer.parseInt(parts[2]))
                    .build();
        }
        throw CliException.usage(job + " (expected: JOB or JOB/GROUP/INDEX)");
    }

    /** Until the input ends or the command takes no more. */
    private void feed(ExecCall call) {
        byte[] buffer = new byte[Limits.EXEC_CHUNK_BYTES_MAX];
        try {
            int read = context.in().read(buffer);
            while (read >= 0 && call.input(ByteString.copyFrom(buffer, 0, read))) {
                read = context.in().read(buffer);
            }
        } catch (IOException unreadable) {
            context.err().println("ssctl: input: cannot be read: " + unreadable.getMessage());
        }
        call.endInput();
    }

    private static void write(PrintStream to, ByteString data) {
        byte[] bytes = data.toByteArray();
        to.write(bytes, 0, bytes.length);
        to.flush();
        if (to.checkError()) {
            throw new OutputClosedException();
        }
    }
}
