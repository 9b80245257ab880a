package io.surestate.statemachine.decision;

import io.surestate.api.Names;
import io.surestate.api.v1.ClusterMeta;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Hold;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.PlanResult;
import io.surestate.log.v1.Accepted;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.Rejected;
import io.surestate.log.v1.Released;
import io.surestate.log.v1.RequestOutcome;

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

    public static Outcome hold(Hold hold) {
        return Outcome.newBuilder().setHold(hold).build();
    }

    public static Outcome meta(ClusterMeta meta) {
        return Outcome.newBuilder().setMeta(meta).build();
    }

    public static Outcome released(int count) {
        return Outcome.newBuilder()
                .setReleased(Released.newBuilder().setCount(count))
                .build();
    }

    public static Outcome request(RequestOutcome request) {
        return Outcome.newBuilder().setRequest(request).build();
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
