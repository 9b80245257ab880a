package io.surestate.cli.units;

import io.surestate.api.v1.AcceleratorModel;
import io.surestate.cli.CliContext;
import io.surestate.cli.CliException;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.input.MutationOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code ssctl units remove}. */
@Command(
        description = "Forget what was said of a model. Jobs that run are not touched.",
        footer = {"", "Example:", "  ssctl units remove MI300X"})
public final class UnitsRemove implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Parameters(paramLabel = "MODEL", description = "As ssctl units list shows it.")
    private String model = "";

    @Mixin
    private final MutationOption mutation = new MutationOption();

    public UnitsRemove(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        UnitsTable table = new UnitsTable(connection);
        if (table.list().stream().noneMatch(known -> known.getModel().equals(model))) {
            throw CliException.refused(
                    "NOT_FOUND: model: \"" + model + "\" (expected: one that ssctl units list shows)");
        }
        AcceleratorModel nothing = AcceleratorModel.newBuilder().setModel(model).build();
        table.set(nothing, mutation.requestId());
        context.out().println(model + " removed");
        return ExitCode.DONE;
    }
}
