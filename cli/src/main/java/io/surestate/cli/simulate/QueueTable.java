package io.surestate.cli.simulate;

import com.fasterxml.jackson.core.JsonGenerator;
import io.surestate.cli.output.Ages;
import io.surestate.cli.output.OutputFormat;
import io.surestate.cli.output.Printer;
import io.surestate.cli.output.Resource;
import io.surestate.cli.output.Table;
import io.surestate.sim.batch.QueueOutcome;
import io.surestate.sim.nodes.GangOutcome;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The figures of queue policies, side by side. */
final class QueueTable {
    private static final double PERCENT = 100;
    private static final double SECOND_MILLIS = 1_000;
    private static final List<String> HEADS = List.of(
            "POLICY", "BACKFILL", "JOBS", "BOUNDED SLOWDOWN", "P99", "UTILIZATION", "WAIT", "LONGEST WAIT", "MAKESPAN");

    private QueueTable() {}

    static void print(PrintStream out, OutputFormat format, List<QueueRow> rows, List<String> notes) {
        new Printer(out, format)
                .many(
                        "policies",
                        rows.stream()
                                .map(row -> new Resource(row.order().label(), (writer, json) -> fields(row, json)))
                                .toList(),
                        () -> table(rows) + footnotes(notes));
    }

    private static void fields(QueueRow row, JsonGenerator json) throws IOException {
        QueueOutcome outcome = row.outcome();
        json.writeStringField("name", row.order().label());
        json.writeStringField("backfill", row.backfill().label());
        json.writeNumberField("jobs", outcome.jobs());
        json.writeNumberField("dropped", row.dropped());
        json.writeNumberField("boundedSlowdown", outcome.boundedSlowdown());
        json.writeNumberField("p99BoundedSlowdown", outcome.p99BoundedSlowdown());
        json.writeNumberField("utilization", outcome.utilization());
        json.writeNumberField("waitSeconds", outcome.waitSeconds());
        json.writeNumberField("maxWaitSeconds", outcome.maxWaitSeconds());
        json.writeNumberField("makespanSeconds", outcome.makespanSeconds());
        if (row.gangs().isPresent()) {
            GangOutcome gangs = row.gangs().get();
            json.writeNumberField("gangs", gangs.gangs());
            json.writeStringField("domainLevel", gangs.level());
            json.writeNumberField("gangsInOneDomain", gangs.inOneDomain());
            json.writeNumberField("neighbourDistance", gangs.neighbourDistance());
            json.writeNumberField("fragmentation", gangs.fragmentation());
        }
    }

    private static String table(List<QueueRow> rows) {
        List<String> heads = new ArrayList<>(HEADS);
        rows.get(0)
                .gangs()
                .ifPresent(gangs -> heads.addAll(List.of(
                        "IN ONE " + gangs.level().toUpperCase(Locale.ROOT), "NEIGHBOUR DISTANCE", "FRAGMENTATION")));
        Table table = new Table(heads.toArray(String[]::new));
        for (QueueRow row : rows) {
            List<Object> cells = new ArrayList<>(cells(row));
            row.gangs()
                    .ifPresent(gangs -> cells.addAll(List.of(
                            number("%.1f%%", PERCENT * gangs.inOneDomain()),
                            number("%.3f", gangs.neighbourDistance()),
                            number("%.1f%%", PERCENT * gangs.fragmentation()))));
            table.row(cells.toArray());
        }
        return table.toString();
    }

    private static List<Object> cells(QueueRow row) {
        QueueOutcome outcome = row.outcome();
        return List.of(
                row.order().label(),
                row.backfill().label(),
                outcome.jobs(),
                number("%.4f", outcome.boundedSlowdown()),
                number("%.1f", outcome.p99BoundedSlowdown()),
                number("%.2f%%", PERCENT * outcome.utilization()),
                length(outcome.waitSeconds()),
                length(outcome.maxWaitSeconds()),
                length(outcome.makespanSeconds()));
    }

    private static String footnotes(List<String> notes) {
        StringBuilder text = new StringBuilder();
        notes.forEach(note -> text.append("  (").append(note).append(")\n"));
        return text.toString();
    }

    private static String number(String form, double value) {
        return String.format(Locale.ROOT, form, value);
    }

    private static String length(double seconds) {
        return Ages.length((long) (seconds * SECOND_MILLIS));
    }
}
