package io.surestate.statemachine.request;

import com.google.protobuf.CodedOutputStream;
import io.surestate.api.Limits;
import io.surestate.api.v1.CommittedGang;
import io.surestate.api.v1.Hold;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.PlanConflict;
import io.surestate.api.v1.PlanResult;
import io.surestate.log.v1.Outcome;
import io.surestate.statemachine.decision.Outcomes;

/** Brings an outcome to the size that may be stored: lists lose their tail and say how much, entities lose their spec. */
final class OutcomeCutter {
    private static final int ROOM_FOR_COUNT_BYTES = 256;

    Outcome cut(Outcome outcome) {
        if (outcome.getSerializedSize() <= Limits.OUTCOME_BYTES_MAX) {
            return outcome;
        }
        return switch (outcome.getResultCase()) {
            case PLAN -> Outcomes.plan(cut(outcome.getPlan()));
            case HOLD -> Outcomes.hold(cut(outcome.getHold()));
            case JOB -> Outcomes.job(cut(outcome.getJob()));
            case NODE ->
                Outcomes.node(outcome.getNode().toBuilder()
                        .setSpec(NodeSpec.getDefaultInstance())
                        .build());
            case REJECTED -> {
                String message = outcome.getRejected().getMessage();
                yield Outcomes.rejected(
                        outcome.getRejected().getCode(),
                        message.substring(0, Math.min(message.length(), Limits.REASON_CHARS_MAX)));
            }
            default -> outcome;
        };
    }

    /** The spec is what the client sent itself. */
    private static Job cut(Job job) {
        return job.toBuilder()
                .setSpec(JobSpec.newBuilder()
                        .setType(job.getSpec().getType())
                        .setPriority(job.getSpec().getPriority()))
                .build();
    }

    /** The gangs are what the client sent itself. */
    private static Hold cut(Hold hold) {
        return hold.toBuilder().clearGangs().build();
    }

    private static PlanResult cut(PlanResult plan) {
        int room = Limits.OUTCOME_BYTES_MAX - ROOM_FOR_COUNT_BYTES;
        PlanResult.Builder kept = PlanResult.newBuilder();
        if (plan.hasHold()) {
            kept.setHold(cut(plan.getHold()));
        }
        int gangs = 0;
        for (CommittedGang gang : plan.getCommittedList()) {
            room -= CodedOutputStream.computeMessageSize(PlanResult.COMMITTED_FIELD_NUMBER, gang);
            if (room < 0) {
                break;
            }
            kept.addCommitted(gang);
            gangs++;
        }
        int conflicts = 0;
        for (PlanConflict conflict : plan.getConflictsList()) {
            room -= CodedOutputStream.computeMessageSize(PlanResult.CONFLICTS_FIELD_NUMBER, conflict);
            if (room < 0) {
                break;
            }
            kept.addConflicts(conflict);
            conflicts++;
        }
        return kept.addConflicts(PlanConflict.newBuilder()
                        .setWhat("cut")
                        .setMessage((plan.getConflictsCount() - conflicts) + " more conflicts and "
                                + (plan.getCommittedCount() - gangs) + " more committed gangs are not listed"))
                .build();
    }
}
