package io.surestate.cli.request;

import io.surestate.api.ErrorCodes;
import io.surestate.api.v1.GetOutcomeRequest;
import io.surestate.api.v1.GetOutcomeResponse;
import io.surestate.api.v1.PlanResult;
import io.surestate.api.v1.RequestsGrpc;
import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.output.Ages;
import io.surestate.cli.output.OutputOption;
import io.surestate.cli.output.Printer;
import io.surestate.cli.output.Resource;
import io.surestate.cli.output.Table;
import io.surestate.manifest.dialect.EnumNames;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ssctl request get}. */
@Command(
        description = "Tell what became of a request whose answer was lost.",
        footer = {
            "",
            "UNKNOWN may still arrive and take effect; with --seal it never will, and may be sent again under a new id.",
            "",
            "Examples:",
            "  ssctl request get 3f0c9a51d27e4b86a1d0c4e5f6079182",
            "  ssctl request get 3f0c9a51d27e4b86a1d0c4e5f6079182 --seal"
        })
public final class RequestGet implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Parameters(paramLabel = "ID", description = "Request id, as printed with exit code 4.")
    private String id = "";

    @Option(names = "--seal", description = "If nothing is known of it, make sure that it never takes effect.")
    private boolean seal;

    @Mixin
    private final OutputOption output = new OutputOption();

    public RequestGet(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        try (Session session = connection.open()) {
            GetOutcomeResponse reply = session.call(
                    RequestsGrpc.getGetOutcomeMethod(),
                    GetOutcomeRequest.newBuilder()
                            .setTenant(session.tenant())
                            .setRequestId(id)
                            .setSeal(seal)
                            .build());
            new Printer(context.out(), output.format())
                    .one(Resource.of(id, reply), () -> view(reply, new Ages(session.clusterTimeMillis())));
        }
        return ExitCode.DONE;
    }

    private static String view(GetOutcomeResponse reply, Ages ages) {
        return new Table()
                .row("Request:", reply.getRequestId())
                .row("State:", EnumNames.shortName(reply.getState().getValueDescriptor()))
                .pair("Result:", result(reply))
                .row("Meaning:", meaning(reply))
                .row("Revision:", reply.getRevision())
                .pair("Kept:", ages.until(reply.getExpiresMillis()))
                .toString();
    }

    private static String result(GetOutcomeResponse reply) {
        return switch (reply.getResultCase()) {
            case ERROR ->
                "refused, " + ErrorCodes.shortName(reply.getError().getCode()) + ": "
                        + reply.getError().getMessage();
            case JOB ->
                "job " + reply.getJob().getName() + ", uid " + reply.getJob().getUid();
            case PLAN -> plan(reply.getPlan());
            case NODE -> "node " + reply.getNode().getName();
            case HOLD ->
                "hold " + reply.getHold().getId() + ", "
                        + EnumNames.shortName(reply.getHold().getState().getValueDescriptor());
            case ACCEPTED -> "done";
            case RESULT_NOT_SET -> "";
        };
    }

    private static String plan(PlanResult plan) {
        return plan.getCommittedCount() + " gangs committed, " + plan.getConflictsCount() + " conflicts"
                + (plan.hasHold() ? ", hold " + plan.getHold().getId() : "");
    }

    private static String meaning(GetOutcomeResponse reply) {
        return switch (reply.getState()) {
            case REQUEST_STATE_DONE -> "it was decided once; sending it again under this id changes nothing";
            case REQUEST_STATE_IN_FLIGHT -> "it is being decided; ask again in a moment";
            case REQUEST_STATE_SEALED -> "it never takes effect";
            case REQUEST_STATE_ACKNOWLEDGED -> "it was decided; its client has the answer, which is no longer kept";
            default ->
                "it never arrived, may still arrive, or has expired; --seal makes sure that it never takes effect";
        };
    }
}
