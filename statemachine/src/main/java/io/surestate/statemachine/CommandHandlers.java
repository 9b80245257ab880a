package io.surestate.statemachine;

import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.Outcome;
import io.surestate.statemachine.decision.Draft;

/** Decides a command by the handler that its kind has; throws for a defect only. */
@FunctionalInterface
interface CommandHandlers {
    Outcome decide(Draft draft, Envelope envelope);
}
