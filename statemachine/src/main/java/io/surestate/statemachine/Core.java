package io.surestate.statemachine;

import io.surestate.api.v1.ClusterMeta;
import io.surestate.api.v1.ErrorCode;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.LogEntry;
import io.surestate.log.v1.Outcome;
import io.surestate.statemachine.decision.ApplyContext;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.FeatureLevels;
import io.surestate.statemachine.decision.Outcomes;
import io.surestate.statemachine.ledger.Settlement;
import io.surestate.statemachine.request.RequestGate;
import io.surestate.statemachine.state.Change;
import io.surestate.statemachine.state.ClusterState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The one pure function: state and command in, outcome and changes out, the same on every server. Holds nothing that changes;
 * safe for any thread as far as its listener is.
 */
public final class Core {
    /** What one entry comes to: the state after it, one outcome per command, all changes in order. */
    public record EntryDecision(ClusterState next, List<Outcome> outcomes, List<Change> changes) {}

    private final RequestGate requests = new RequestGate();
    private final CommandHandlers handlers;
    private final FaultListener faults;

    public Core(FaultListener faults) {
        this(new StandardHandlers(), faults);
    }

    Core(CommandHandlers handlers, FaultListener faults) {
        this.handlers = handlers;
        this.faults = faults;
    }

    /** Decides all commands of an entry, each seeing the effects of those before it. */
    public EntryDecision decide(ClusterState state, CommittedEntry committed) {
        ClusterState next = state.at(committed.index(), committed.term());
        List<Outcome> outcomes = new ArrayList<>();
        List<Change> changes = new ArrayList<>();
        if (committed.entry().isPresent()) {
            LogEntry entry = committed.entry().get();
            checkLevel(entry, committed.index());
            next = advanceTime(next, entry.getTimeMillis(), changes);
            int ordinal = 0;
            for (Envelope envelope : entry.getCommandsList()) {
                long time = next.meta().getTimeMillis();
                Decision decision =
                        decide(next, envelope, new ApplyContext(committed.index(), committed.term(), time, ordinal));
                next = decision.next();
                ordinal = decision.nextOrdinal();
                outcomes.add(decision.outcome());
                changes.addAll(decision.changes());
            }
        }
        return new EntryDecision(next, outcomes, changes);
    }

    /** Decides one command. */
    public Decision decide(ClusterState state, Envelope envelope, ApplyContext context) {
        return refusal(state, envelope, context)
                .map(outcome -> new Decision(outcome, List.of(), state, context.firstOrdinal()))
                .orElseGet(() -> decideAccepted(state, envelope, context));
    }

    private Optional<Outcome> refusal(ClusterState state, Envelope envelope, ApplyContext context) {
        long term = envelope.getRequiredTerm();
        if (term != 0 && term != context.term()) {
            return Optional.of(Outcomes.rejected(
                    ErrorCode.ERROR_CODE_ILLEGAL_STATE,
                    "term",
                    Long.toString(context.term()),
                    term + ", that of the leader that proposed this"));
        }
        boolean first = envelope.getCommandCase() == Envelope.CommandCase.INIT_CLUSTER;
        if (!state.initialised() && !first) {
            return Optional.of(Outcomes.rejected(
                    ErrorCode.ERROR_CODE_ILLEGAL_STATE,
                    "command",
                    commandName(envelope),
                    "the cluster's bootstrap first"));
        }
        return envelope.hasRequest() ? requests.answer(state, envelope, context.timeMillis()) : Optional.empty();
    }

    private Decision decideAccepted(ClusterState state, Envelope envelope, ApplyContext context) {
        Draft draft = new Draft(state, context);
        Outcome outcome;
        try {
            outcome = handlers.decide(draft, envelope);
            Settlement.settle(draft);
        } catch (RuntimeException defect) {
            faults.handlerFailed(context.index(), commandName(envelope), defect);
            draft = new Draft(state, context);
            outcome = Outcomes.rejected(
                    ErrorCode.ERROR_CODE_INTERNAL,
                    "command",
                    commandName(envelope),
                    "a handler that does not fail; nothing was changed");
        }
        if (envelope.hasRequest()) {
            outcome = requests.keep(draft, envelope, outcome);
        }
        return new Decision(outcome, draft.changes(), draft.state(), draft.nextOrdinal());
    }

    private static ClusterState advanceTime(ClusterState state, long timeMillis, List<Change> changes) {
        ClusterMeta meta = state.meta();
        if (timeMillis <= meta.getTimeMillis()) {
            return state;
        }
        Change advance =
                new Change.MetaPut(meta.toBuilder().setTimeMillis(timeMillis).build());
        changes.add(advance);
        return state.apply(advance);
    }

    private static void checkLevel(LogEntry entry, long index) {
        if (entry.getFeatureLevel() > FeatureLevels.NEWEST) {
            throw new UpgradeRequiredException(index, entry.getFeatureLevel());
        }
    }

    private static String commandName(Envelope envelope) {
        return envelope.getCommandCase().name();
    }
}
