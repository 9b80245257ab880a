package io.surestate.cli.job;

import com.fasterxml.jackson.core.JsonGenerator;
import io.surestate.api.v1.GetJobRequest;
import io.surestate.api.v1.GetJobResponse;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskState;
import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.output.Ages;
import io.surestate.cli.output.OutputOption;
import io.surestate.cli.output.Printer;
import io.surestate.cli.output.Resource;
import io.surestate.manifest.dialect.ManifestWriter;
import java.io.IOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code ssctl job get}. */
@Command(
        description = "Show a job, its tasks, and why it waits if it does.",
        footer = {
            "",
            "Examples:",
            "  ssctl job get count-up",
            "  ssctl job get count-up -o yaml > copy.yaml     (can be submitted again)"
        })
public final class JobGet implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Parameters(paramLabel = "JOB", description = "Name or uid.")
    private String job = "";

    @Mixin
    private final OutputOption output = new OutputOption();

    public JobGet(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        try (Session session = connection.open()) {
            GetJobRequest request = GetJobRequest.newBuilder()
                    .setTenant(session.tenant())
                    .setJob(job)
                    .build();
            GetJobResponse reply = session.call(JobsGrpc.getGetJobMethod(), request);
            new Printer(context.out(), output.format())
                    .one(
                            new Resource(reply.getJob().getName(), (writer, out) -> fields(reply, writer, out)),
                            () -> new JobView(new Ages(session.clusterTimeMillis())).show(reply));
        }
        return ExitCode.DONE;
    }

    private static void fields(GetJobResponse reply, ManifestWriter writer, JsonGenerator out) throws IOException {
        writer.fields(reply.getJob(), out);
        if (!reply.getPendingReason().isEmpty()) {
            out.writeStringField("pendingReason", reply.getPendingReason());
        }
        out.writeFieldName("tasks");
        out.writeStartArray();
        for (Task task : reply.getTasksList()) {
            out.writeStartObject();
            writer.fields(task, out);
            if (task.getExitCode() == 0 && task.getSignal() == 0 && task.getState() == TaskState.TASK_STATE_SUCCEEDED) {
                out.writeNumberField("exitCode", 0);
            }
            out.writeEndObject();
        }
        out.writeEndArray();
    }
}
