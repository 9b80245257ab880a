package io.surestate.statemachine.decision;

import io.surestate.api.Names;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.PlanResult;
import io.surestate.log.v1.Accepted;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.Rejected;

/** The forms an outcome can take. */
public final class Outcomes {
    private Outcomes() {}

    public static Outcome accepted() {
        return Outcome.newBuilder().setAccepted(Accepted.getDefaultInstance()).build();
    }

    public static Outcome job(Job job) {
        return Outcome.newBuilder().setJob(job).build();
    }

    public static Outcome node(Node node) {
        return Outcome.newBuilder().setNode(node).build();
    }

    public static Outcome plan(PlanResult result) {
        return Outcome.newBuilder().setPlan(result).build();
    }

    /** A refusal that says what was given and what was expected. */
    public static Outcome rejected(ErrorCode code, String field, String value, String expected) {
        return rejected(code, Names.message(field, value, expected));
    }

    public static Outcome rejected(ErrorCode code, String message) {
        return Outcome.newBuilder()
                .setRejected(Rejected.newBuilder().setCode(code).setMessage(message))
                .build();
    }
}
