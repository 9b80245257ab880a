package io.surestate.cli.simulate;

import com.fasterxml.jackson.core.JsonGenerator;
import io.surestate.cli.output.OutputFormat;
import io.surestate.cli.output.Printer;
import io.surestate.cli.output.Resource;
import io.surestate.cli.output.Table;
import io.surestate.sim.openb.PolicyResult;
import io.surestate.sim.openb.SeedRun;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The figures of placement policies, side by side. */
final class PlacementTable {
    private static final int COLUMN_FIRST = 50;
    private static final int COLUMN_STEP = 5;
    private static final List<Integer> SHOWN = List.of(95, 100);

    private PlacementTable() {}

    static void print(PrintStream out, OutputFormat format, List<PolicyResult> results) {
        new Printer(out, format)
                .many(
                        "policies",
                        results.stream()
                                .map(result -> new Resource(result.policy(), (writer, json) -> fields(result, json)))
                                .toList(),
                        () -> table(results));
    }

    /** The last percent of arrived demand that every run reached. */
    private static int last(PolicyResult result) {
        List<Double> curve = result.curve();
        int last = curve.size() - 1;
        while (last > 0 && curve.get(last).isNaN()) {
            last--;
        }
        return last;
    }

    private static void fields(PolicyResult result, JsonGenerator json) throws IOException {
        int last = last(result);
        json.writeStringField("name", result.policy());
        json.writeObjectFieldStart("allocationPercent");
        json.writeNumberField("mean", result.mean(last));
        json.writeNumberField("sd", result.deviation(last));
        json.writeEndObject();
        json.writeObjectFieldStart("allocationPercentAt");
        for (int column : columns(last)) {
            double mean = result.mean(column);
            if (!Double.isNaN(mean)) {
                json.writeNumberField(Integer.toString(column), mean);
            }
        }
        json.writeEndObject();
        json.writeObjectFieldStart("decisionMicros");
        json.writeNumberField("p50", result.decisionMicrosP50());
        json.writeNumberField("p99", result.decisionMicrosP99());
        json.writeEndObject();
        json.writeNumberField("runs", result.runs().size());
        json.writeNumberField("arrived", mean(result, SeedRun::arrived));
        json.writeNumberField("placed", mean(result, SeedRun::placed));
    }

    private static List<Integer> columns(int last) {
        List<Integer> columns = new ArrayList<>();
        for (int column = COLUMN_FIRST; column < last; column += COLUMN_STEP) {
            columns.add(column);
        }
        columns.add(last);
        return columns;
    }

    private static double mean(PolicyResult result, ToDoubleFunction<SeedRun> figure) {
        return result.runs().stream().mapToDouble(figure).average().orElse(0);
    }

    private static String table(List<PolicyResult> results) {
        Table table = new Table(
                "POLICY",
                "GPUS ALLOCATED",
                "SD",
                "AT ARRIVED",
                "AT 95%",
                "AT 100%",
                "ARRIVED",
                "PLACED",
                "DECISION P50",
                "P99");
        for (PolicyResult result : results) {
            int last = last(result);
            table.row(
                    result.policy(),
                    number("%.2f%%", result.mean(last)),
                    number("%.2f", result.deviation(last)),
                    last + "%",
                    at(result, SHOWN.get(0), last),
                    at(result, SHOWN.get(1), last),
                    number("%.0f", mean(result, SeedRun::arrived)),
                    number("%.0f", mean(result, SeedRun::placed)),
                    number("%.0f µs", result.decisionMicrosP50()),
                    number("%.0f µs", result.decisionMicrosP99()));
        }
        return table.toString();
    }

    private static String at(PolicyResult result, int column, int last) {
        return column <= last ? number("%.2f%%", result.mean(column)) : "";
    }

    private static String number(String form, double value) {
        return String.format(Locale.ROOT, form, value);
    }
}
