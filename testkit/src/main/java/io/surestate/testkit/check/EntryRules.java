package io.surestate.testkit.check;

import io.surestate.api.v1.Node;
import io.surestate.api.v1.Plan;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.LogEntry;
import io.surestate.log.v1.Outcome;
import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.CommittedEntry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the core may accept, by rules of its own: a command of another leader's term never, one about another epoch of its node never, and
 * each registration or fence gives its node a newer epoch. Looks at each committed entry and what it came to, once. One thread.
 */
public final class EntryRules {
    private final Map<String, Long> nodeEpochs = new HashMap<>();

    /** The next entry and what it came to. */
    public Optional<String> add(CommittedEntry committed, AppliedEntry applied) {
        List<Envelope> commands =
                committed.entry().map(LogEntry::getCommandsList).orElse(List.of());
        if (commands.size() != applied.outcomes().size()) {
            return Optional.of("entry " + committed.index() + " has " + commands.size() + " commands and "
                    + applied.outcomes().size() + " outcomes");
        }
        for (int i = 0; i < commands.size(); i++) {
            Optional<String> problem = askedBefore(commands, i)
                    ? Optional.empty()
                    : check(committed, commands.get(i), applied.outcomes().get(i));
            if (problem.isPresent()) {
                return problem.map(what -> "entry " + committed.index() + ": " + what);
            }
        }
        return Optional.empty();
    }

    /** Whether it is the request of an earlier command of the entry, so that its outcome is that one's. */
    static boolean askedBefore(List<Envelope> commands, int position) {
        Envelope command = commands.get(position);
        return command.hasRequest()
                && commands.subList(0, position).stream()
                        .anyMatch(other ->
                                other.hasRequest() && other.getRequest().equals(command.getRequest()));
    }

    private Optional<String> check(CommittedEntry entry, Envelope command, Outcome outcome) {
        if (outcome.hasRejected()) {
            return Optional.empty();
        }
        long term = command.getRequiredTerm();
        if (term != 0 && term != entry.term()) {
            return Optional.of(
                    command.getCommandCase() + " of a leader of term " + term + " took effect in term " + entry.term());
        }
        return switch (command.getCommandCase()) {
            case REGISTER_NODE -> registered(outcome.getNode());
            case SUSPECT_NODE ->
                epoch(
                        command.getSuspectNode().getNode(),
                        command.getSuspectNode().getEpoch(),
                        command);
            case CLEAR_NODE ->
                epoch(command.getClearNode().getNode(), command.getClearNode().getEpoch(), command);
            case LOSE_NODE ->
                epoch(command.getLoseNode().getNode(), command.getLoseNode().getEpoch(), command);
            case REPORT_TASKS ->
                epoch(
                        command.getReportTasks().getNode(),
                        command.getReportTasks().getReport().getNodeEpoch(),
                        command);
            case COMMIT_PLAN -> placed(entry.index(), command.getCommitPlan().getPlan(), outcome, command);
            case HOLD_PLAN -> placed(entry.index(), command.getHoldPlan().getPlan(), outcome, command);
            case FENCE_NODE -> fenced(outcome.getNode());
            default -> Optional.empty();
        };
    }

    private Optional<String> registered(Node node) {
        long epoch = node.getStatus().getEpoch();
        Long before = nodeEpochs.put(node.getName(), epoch);
        return before == null || before < epoch
                ? Optional.empty()
                : Optional.of("node " + node.getName() + " registered with epoch " + epoch + " after " + before);
    }

    /** A stored outcome may be told again. */
    private Optional<String> fenced(Node node) {
        nodeEpochs.merge(node.getName(), node.getStatus().getEpoch(), Math::max);
        return Optional.empty();
    }

    private Optional<String> epoch(String node, long given, Envelope command) {
        long present = nodeEpochs.getOrDefault(node, 0L);
        return given == present
                ? Optional.empty()
                : Optional.of(command.getCommandCase() + " about epoch " + given + " of node " + node
                        + " took effect in epoch " + present);
    }

    private Optional<String> placed(long index, Plan plan, Outcome outcome, Envelope command) {
        if (outcome.getPlan().getRevision() != index) {
            return Optional.empty();
        }
        return outcome.getPlan().getCommittedList().stream()
                .flatMap(gang -> plan.getGangs(gang.getGang()).getPlacementsList().stream())
                .flatMap(placement -> epoch(placement.getNode(), placement.getNodeEpoch(), command).stream())
                .findFirst();
    }
}
