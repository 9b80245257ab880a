package io.surestate.cli.units;

import io.surestate.api.v1.AcceleratorModel;
import io.surestate.api.v1.PrecisionUnits;
import io.surestate.cli.CliContext;
import io.surestate.cli.CliException;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.input.MutationOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ssctl units set}. */
@Command(
        description =
                "Say what one device of a model can do, so that jobs can ask for compute units or a class instead of a model.",
        footer = {
            "",
            "Replaces what was said of the model. Units are whole numbers on a scale of your own that all models share, such as",
            "10^12 operations a second from the data sheets.",
            "",
            "Examples:",
            "  ssctl units set \"NVIDIA H100 80GB HBM3\" --fp16 989 --fp8 1979 --class training",
            "  ssctl units set MI300X --units fp16=1307 --units int8=2614 --class training,large"
        })
public final class UnitsSet implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Parameters(paramLabel = "MODEL", description = "As discovered: ssctl node get shows it.")
    private String model = "";

    @Option(names = "--fp64", paramLabel = "N", description = "Units of one device; so for the other precisions.")
    private long fp64;

    @Option(names = "--fp32", paramLabel = "N", description = "")
    private long fp32;

    @Option(names = "--tf32", paramLabel = "N", description = "")
    private long tf32;

    @Option(names = "--bf16", paramLabel = "N", description = "")
    private long bf16;

    @Option(names = "--fp16", paramLabel = "N", description = "")
    private long fp16;

    @Option(names = "--fp8", paramLabel = "N", description = "")
    private long fp8;

    @Option(names = "--fp4", paramLabel = "N", description = "")
    private long fp4;

    @Option(names = "--int8", paramLabel = "N", description = "")
    private long int8;

    @Option(names = "--units", paramLabel = "NAME=N", description = "Units under any other name; may be repeated.")
    private Map<String, Long> others = new TreeMap<>();

    @Option(names = "--class", paramLabel = "CLASS", split = ",", description = "Classes that jobs may ask for.")
    private List<String> classes = List.of();

    @Mixin
    private final MutationOption mutation = new MutationOption();

    public UnitsSet(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        Map<String, Long> units = new TreeMap<>(others);
        new TreeMap<>(Map.of(
                        "fp64", fp64, "fp32", fp32, "tf32", tf32, "bf16", bf16, "fp16", fp16, "fp8", fp8, "fp4", fp4,
                        "int8", int8))
                .forEach((precision, amount) -> {
                    if (amount != 0) {
                        units.put(precision, amount);
                    }
                });
        if (units.isEmpty() && classes.isEmpty()) {
            throw CliException.usage(
                    "nothing said of " + model + " (expected: --fp16 N, --units NAME=N or --class CLASS)");
        }
        AcceleratorModel.Builder accelerator =
                AcceleratorModel.newBuilder().setModel(model).addAllClasses(classes);
        units.forEach((precision, amount) -> accelerator.addUnits(
                PrecisionUnits.newBuilder().setPrecision(precision).setUnits(amount)));
        new UnitsTable(connection).set(accelerator.build(), mutation.requestId());
        context.out().println(model + " set");
        return ExitCode.DONE;
    }
}
