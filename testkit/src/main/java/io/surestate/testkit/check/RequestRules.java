package io.surestate.testkit.check;

import io.surestate.api.v1.ErrorCode;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.LogEntry;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.RequestKey;
import io.surestate.log.v1.RequestOutcome;
import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.CommittedEntry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What becomes of requests that are asked again: each is decided once at most, never after it was sealed, and once its outcome was
 * acknowledged its id stays used. Looks at each committed entry and what it came to, once, in order. One thread.
 */
public final class RequestRules {
    private final Map<RequestKey, Outcome> decided = new HashMap<>();
    private final Map<RequestKey, Long> keptUntil = new HashMap<>();
    private final Set<RequestKey> sealed = new HashSet<>();
    private final Set<RequestKey> acknowledged = new HashSet<>();

    /** The next entry and what it came to. */
    public Optional<String> add(CommittedEntry committed, AppliedEntry applied) {
        List<Envelope> commands =
                committed.entry().map(LogEntry::getCommandsList).orElse(List.of());
        for (int i = 0; i < commands.size(); i++) {
            Optional<String> problem = check(commands.get(i), applied.outcomes().get(i), applied.timeMillis());
            if (problem.isPresent()) {
                return problem.map(what -> "entry " + committed.index() + ": " + what);
            }
        }
        return Optional.empty();
    }

    private Optional<String> check(Envelope command, Outcome outcome, long timeMillis) {
        if (command.hasSealRequest()) {
            return seal(key(command, command.getSealRequest().getRequestId()), outcome, timeMillis);
        }
        if (command.hasAcknowledgeRequests()) {
            command.getAcknowledgeRequests().getRequestIdsList().stream()
                    .map(id -> key(command, id))
                    .filter(decided::containsKey)
                    .forEach(acknowledged::add);
            return Optional.empty();
        }
        keptUntil.putIfAbsent(command.getRequest(), command.getExpiresMillis());
        return command.hasRequest() ? decide(command.getRequest(), outcome) : Optional.empty();
    }

    private static RequestKey key(Envelope command, String id) {
        return RequestKey.newBuilder()
                .setTenant(command.getTenant())
                .setPrincipal(command.getPrincipal())
                .setRequestId(id)
                .build();
    }

    private Optional<String> decide(RequestKey key, Outcome outcome) {
        String id = "request " + key.getRequestId();
        ErrorCode refusal = outcome.getRejected().getCode();
        Outcome first = decided.get(key);
        return switch (refusal) {
            case ERROR_CODE_REQUEST_SEALED ->
                wrong(sealed.contains(key), id + " was refused as sealed, which it is not");
            case ERROR_CODE_REQUEST_ACKNOWLEDGED ->
                wrong(acknowledged.contains(key), id + " was refused as acknowledged, which it is not");
            case ERROR_CODE_REQUEST_EXPIRED -> Optional.empty();
            default -> {
                decided.putIfAbsent(key, outcome);
                yield wrong(!sealed.contains(key), id + " took effect after it was sealed: " + outcome)
                        .or(() -> wrong(!acknowledged.contains(key), id + " was decided after it was acknowledged"))
                        .or(() -> wrong(
                                first == null || first.equals(outcome),
                                id + " was decided twice: " + first + " and " + outcome));
            }
        };
    }

    private Optional<String> seal(RequestKey key, Outcome outcome, long timeMillis) {
        if (!outcome.hasRequest()) {
            return Optional.empty();
        }
        RequestOutcome told = outcome.getRequest();
        String id = "request " + key.getRequestId();
        if (!told.getSealed()) {
            Outcome first = decided.get(key);
            return wrong(
                    told.getAcknowledged() || told.getOutcome().equals(first),
                    id + " was told to have come to " + told.getOutcome() + ", it came to " + first);
        }
        sealed.add(key);
        boolean forgotten = keptUntil.getOrDefault(key, 0L) <= timeMillis;
        return wrong(forgotten || !decided.containsKey(key), id + " was sealed after it had taken effect");
    }

    private static Optional<String> wrong(boolean right, String what) {
        return right ? Optional.empty() : Optional.of(what);
    }
}
