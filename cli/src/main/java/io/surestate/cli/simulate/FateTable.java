package io.surestate.cli.simulate;

import com.fasterxml.jackson.core.JsonGenerator;
import io.surestate.api.v1.TaskRef;
import io.surestate.cli.output.OutputFormat;
import io.surestate.cli.output.Printer;
import io.surestate.cli.output.Resource;
import io.surestate.cli.output.Table;
import io.surestate.sim.whatif.JobFate;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Collectors;

/** What becomes of jobs, one a row. */
final class FateTable {
    private static final int NODES_SHOWN = 8;

    private FateTable() {}

    /** @param revision of the cluster that was asked */
    static void print(PrintStream out, OutputFormat format, List<JobFate> fates, long revision) {
        new Printer(out, format)
                .many(
                        "jobs",
                        fates.stream()
                                .map(fate -> new Resource(fate.name(), (writer, json) -> fields(fate, revision, json)))
                                .toList(),
                        () -> table(fates, revision));
    }

    private static void fields(JobFate fate, long revision, JsonGenerator json) throws IOException {
        json.writeStringField("name", fate.name());
        json.writeStringField("tenant", fate.tenant());
        json.writeNumberField("revision", revision);
        json.writeNumberField("tasks", fate.tasks());
        json.writeArrayFieldStart("lost");
        for (JobFate.Lost lost : fate.lost()) {
            json.writeStartObject();
            json.writeStringField("task", label(lost.task()));
            json.writeStringField("node", lost.node());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeBooleanField("placed", fate.placed());
        json.writeArrayFieldStart("places");
        for (JobFate.NodeTasks place : fate.places()) {
            json.writeStartObject();
            json.writeStringField("node", place.node());
            json.writeNumberField("tasks", place.tasks());
            json.writeEndObject();
        }
        json.writeEndArray();
        json.writeStringField("reason", fate.reason());
    }

    private static String label(TaskRef task) {
        return task.getGroup() + "/" + task.getIndex();
    }

    private static String table(List<JobFate> fates, long revision) {
        String note = "  (a copy of the cluster at revision " + revision + "; nothing was changed)\n";
        if (fates.isEmpty()) {
            return "No job would lose a task.\n" + note;
        }
        Table table = new Table("JOB", "TASKS", "LOST", "THEN", "WHERE, OR WHY NOT");
        for (JobFate fate : fates) {
            table.row(
                    fate.name(),
                    fate.tasks(),
                    fate.lost().isEmpty() ? "" : fate.lost().size(),
                    fate.placed() ? "placed" : "waits",
                    fate.placed() ? places(fate.places()) : fate.reason());
        }
        return table + note;
    }

    private static String places(List<JobFate.NodeTasks> places) {
        String shown = places.stream()
                .limit(NODES_SHOWN)
                .map(place -> place.node() + " x " + place.tasks())
                .collect(Collectors.joining(", "));
        return places.size() <= NODES_SHOWN ? shown : shown + ", and " + (places.size() - NODES_SHOWN) + " nodes more";
    }
}
