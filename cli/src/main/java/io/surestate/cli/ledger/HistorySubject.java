package io.surestate.cli.ledger;

import io.surestate.api.v1.DeviceRef;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.GetJobRequest;
import io.surestate.api.v1.GetNodeRequest;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.api.v1.ListHistoryRequest;
import io.surestate.api.v1.NodesGrpc;
import io.surestate.cli.CliException;
import io.surestate.cli.connect.Session;
import io.surestate.client.SurestateException;
import java.util.Optional;
import java.util.regex.Pattern;

/** Finds out what a word means: a device, a node, a job, or an allocation. */
final class HistorySubject {
    private static final Pattern ID = Pattern.compile("[0-9a-f]{16}-[0-9a-f]{6}");

    private HistorySubject() {}

    static ListHistoryRequest find(Session session, String word) {
        if (word.isEmpty()) {
            throw CliException.usage("SUBJECT: empty (expected: ALLOCATION, NODE, NODE/DEVICE or JOB)");
        }
        int slash = word.indexOf('/');
        if (slash >= 0) {
            return device(word, word.substring(0, slash), word.substring(slash + 1));
        }
        ListHistoryRequest.Builder request = ListHistoryRequest.newBuilder();
        if (ID.matcher(word).matches()) {
            // Jobs and allocations have ids of one form.
            Optional<String> job = job(session, word);
            return (job.isPresent() ? request.setJobUid(job.get()) : request.setAllocation(word)).build();
        }
        if (isNode(session, word)) {
            return request.setNode(word).build();
        }
        return request.setJobUid(job(session, word)
                        .orElseThrow(() -> CliException.refused("NOT_FOUND: " + word
                                + ": neither a node nor a job (expected: ALLOCATION, NODE, NODE/DEVICE or JOB)")))
                .build();
    }

    private static ListHistoryRequest device(String word, String node, String ordinal) {
        try {
            return ListHistoryRequest.newBuilder()
                    .setDevice(DeviceRef.newBuilder().setNode(node).setOrdinal(Integer.parseInt(ordinal)))
                    .build();
        } catch (NumberFormatException noOrdinal) {
            throw CliException.usage(
                    "SUBJECT: " + word + " (expected: NODE/DEVICE with the device's number, such as node-17/3)");
        }
    }

    private static Optional<String> job(Session session, String word) {
        try {
            GetJobRequest request = GetJobRequest.newBuilder()
                    .setTenant(session.tenant())
                    .setJob(word)
                    .build();
            return Optional.of(
                    session.call(JobsGrpc.getGetJobMethod(), request).getJob().getUid());
        } catch (SurestateException refused) {
            if (refused.code() == ErrorCode.ERROR_CODE_NOT_FOUND) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    /** Refuses the name of a node that is not known. */
    static void requireNode(Session session, String name) {
        if (!isNode(session, name)) {
            throw CliException.refused("NOT_FOUND: " + name + ": no such node is known (see: ssctl node list)");
        }
    }

    private static boolean isNode(Session session, String word) {
        try {
            session.call(
                    NodesGrpc.getGetNodeMethod(),
                    GetNodeRequest.newBuilder().setName(word).build());
            return true;
        } catch (SurestateException refused) {
            if (refused.code() == ErrorCode.ERROR_CODE_NOT_FOUND) {
                return false;
            }
            throw refused;
        }
    }
}
