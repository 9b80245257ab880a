package io.surestate.cli.units;

import io.surestate.api.v1.AcceleratorModel;
import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.output.OutputOption;
import io.surestate.cli.output.Printer;
import io.surestate.cli.output.Resource;
import io.surestate.cli.output.Table;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code ssctl units list}. */
@Command(
        description = "List what devices of each model can do.",
        footer = {"", "Example:", "  ssctl units list"})
public final class UnitsList implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Mixin
    private final OutputOption output = new OutputOption();

    public UnitsList(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        List<AcceleratorModel> models = new UnitsTable(connection).list();
        new Printer(context.out(), output.format())
                .many(
                        "accelerators",
                        models.stream()
                                .map(model -> Resource.of(model.getModel(), model))
                                .toList(),
                        () -> table(models));
        return ExitCode.DONE;
    }

    private static String table(List<AcceleratorModel> models) {
        Table table = new Table("MODEL", "UNITS", "CLASSES");
        for (AcceleratorModel model : models) {
            table.row(
                    model.getModel(),
                    model.getUnitsList().stream()
                            .map(units -> units.getPrecision() + "=" + units.getUnits())
                            .collect(Collectors.joining(" ")),
                    String.join(",", model.getClassesList()));
        }
        return table.toString();
    }
}
