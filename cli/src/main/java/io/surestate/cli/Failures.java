package io.surestate.cli;

import io.surestate.api.ErrorCodes;
import io.surestate.api.v1.ErrorCode;
import io.surestate.client.SurestateException;
import io.surestate.manifest.config.ConfigException;
import io.surestate.manifest.dialect.ManifestException;
import io.surestate.manifest.hardware.HardwareException;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Turns whatever a command threw into lines on standard error and an exit code. */
final class Failures implements IExecutionExceptionHandler, IParameterExceptionHandler {
    private final PrintStream err;

    Failures(PrintStream err) {
        this.err = err;
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine command, CommandLine.ParseResult parsed)
            throws Exception {
        if (failure instanceof SurestateException refused) {
            return refused(refused);
        }
        if (failure instanceof CliException told) {
            say(String.valueOf(told.getMessage()));
            return told.exitCode();
        }
        if (failure instanceof OutputClosedException) {
            return ExitCode.OUTPUT_CLOSED;
        }
        if (failure instanceof ManifestException manifest) {
            say("INVALID_ARGUMENT: " + manifest.getMessage());
            return ExitCode.REFUSED;
        }
        if (failure instanceof HardwareException hardware) {
            say("INVALID_ARGUMENT: " + hardware.getMessage());
            return ExitCode.REFUSED;
        }
        if (failure instanceof ConfigException config) {
            say("USAGE: " + config.getMessage());
            return ExitCode.USAGE;
        }
        throw failure;
    }

    private int refused(SurestateException refused) {
        say(ErrorCodes.shortName(refused.code()) + ": " + refused.detail().getMessage());
        if (refused.outcomeUnknown()) {
            err.println("The request may or may not have taken effect. What became of it: ssctl request get "
                    + refused.requestId() + "\nThe same command with --request-id " + refused.requestId()
                    + " gives its outcome too and does nothing twice.");
            return ExitCode.OUTCOME_UNKNOWN;
        }
        advice(refused.code());
        return switch (refused.category()) {
            case ERROR_CATEGORY_UNAVAILABLE -> ExitCode.UNAVAILABLE;
            case ERROR_CATEGORY_EXHAUSTED ->
                ErrorCodes.retryable(refused.code()) ? ExitCode.UNAVAILABLE : ExitCode.REFUSED;
            default -> ExitCode.REFUSED;
        };
    }

    private void advice(ErrorCode code) {
        switch (code) {
            case ERROR_CODE_UNAVAILABLE, ERROR_CODE_NOT_LEADER, ERROR_CODE_DEADLINE_EXCEEDED ->
                err.println("Is a server running, and named by --server, SSCTL_SERVER or the configuration file? "
                        + "'ssctl dev' starts one here.");
            case ERROR_CODE_ALREADY_EXISTS ->
                err.println("Choose another name, or cancel the job that has it: ssctl job cancel NAME");
            case ERROR_CODE_COMPACTED, ERROR_CODE_HISTORY_CHANGED ->
                err.println("What happened since then is no longer kept; begin with --list, or without --from.");
            case ERROR_CODE_REQUEST_ID_REUSED ->
                err.println("This request id was used for something else; leave --request-id out for a new one.");
            case ERROR_CODE_RESOURCE_EXHAUSTED -> err.println("The servers are at a limit; try again in a while.");
            default -> {}
        }
    }

    @Override
    public int handleParseException(ParameterException mistake, String[] args) {
        String message = String.valueOf(mistake.getMessage());
        int end = message.indexOf('\n');
        say("USAGE: " + (end < 0 ? message : message.substring(0, end)));
        if (mistake instanceof UnmatchedArgumentException unmatched) {
            List<String> suggestions = unmatched.getSuggestions();
            if (!suggestions.isEmpty()) {
                err.println("Did you mean: " + String.join(", or ", suggestions) + "?");
            }
        }
        err.println("Try: " + mistake.getCommandLine().getCommandSpec().qualifiedName() + " --help");
        return ExitCode.USAGE;
    }

    private void say(String message) {
        err.println("ssctl: " + message);
    }
}
