package io.surestate.server.commit;

import io.surestate.api.Limits;
import io.surestate.api.v1.ErrorCode;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.LogEntry;
import io.surestate.log.v1.RequestKey;
import io.surestate.server.api.Refused;
import io.surestate.server.log.ProposalFailedException;
import io.surestate.server.log.ReplicatedLog;
import io.surestate.statemachine.AppliedEntry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BooleanSupplier;

/**
 * Groups commands that arrive together into one log entry. While {@value #ENTRIES_IN_FLIGHT_MAX} entries are on their way, commands
 * wait and the next entry grows, so that load makes entries larger instead of more. Thread-safe; every bound is in {@link Limits}.
 */
public final class GroupCommit {
    private static final int ENTRIES_IN_FLIGHT_MAX = 4;

    private final ReplicatedLog log;
    private final ClusterClock clock;
    private final int featureLevel;
    private final BooleanSupplier initialised;
    private final Object lock = new Object();
    private final Queue<Waiting> waiting = new ArrayDeque<>();
    /** How often each request is on its way; bounded as the commands are. */
    private final Map<RequestKey, Integer> requests = new HashMap<>();

    private int entriesInFlight;
    private int pendingCommands;
    private long pendingBytes;

    private record Waiting(Envelope command, int bytes, CompletableFuture<CommandOutcome> answer) {}

    /** {@code initialised} tells whether the cluster's first command was applied; until then nothing else is taken. */
    public GroupCommit(ReplicatedLog log, ClusterClock clock, int featureLevel, BooleanSupplier initialised) {
        this.initialised = initialised;
        this.log = log;
        this.clock = clock;
        this.featureLevel = featureLevel;
    }

    /** Completes with the outcome after this server applied it; fails with {@link Refused}. */
    public CompletableFuture<CommandOutcome> submit(Envelope command) {
        if (!command.hasInitCluster() && !initialised.getAsBoolean()) {
            return CompletableFuture.failedFuture(Refused.of(
                    ErrorCode.ERROR_CODE_UNAVAILABLE, "cluster: being set up (expected: try again in a moment)"));
        }
        int bytes = command.getSerializedSize();
        if (bytes > Limits.COMMAND_BYTES_MAX) {
            return CompletableFuture.failedFuture(Refused.of(
                    ErrorCode.ERROR_CODE_TOO_LARGE,
                    "command: " + bytes + " bytes (expected: at most " + Limits.COMMAND_BYTES_MAX + ")"));
        }
        Waiting mine = new Waiting(command, bytes, new CompletableFuture<>());
        synchronized (lock) {
            if (sheds(command) && full(bytes)) {
                return CompletableFuture.failedFuture(Refused.exhausted(
                        "pending commands: " + pendingCommands + ", " + pendingBytes + " bytes (expected: fewer than "
                                + Limits.PENDING_COMMANDS_MAX + " and " + Limits.PENDING_BYTES_MAX + " bytes)"));
            }
            waiting.add(mine);
            pendingCommands++;
            pendingBytes += bytes;
            if (command.hasRequest()) {
                requests.merge(command.getRequest(), 1, Integer::sum);
            }
        }
        proposeWhatWaits();
        return mine.answer;
    }

    /** Whether a request was accepted and not answered yet. */
    public boolean inFlight(RequestKey request) {
        synchronized (lock) {
            return requests.containsKey(request);
        }
    }

    /** Commands accepted and not answered yet. */
    public int pending() {
        synchronized (lock) {
            return pendingCommands;
        }
    }

    /** An entry without commands: carries cluster time into the log. */
    public CompletableFuture<Long> markTime() {
        return log.propose(entry(List.of())).thenApply(AppliedEntry::revision);
    }

    private boolean full(int bytes) {
        return pendingCommands >= Limits.PENDING_COMMANDS_MAX || pendingBytes + bytes > Limits.PENDING_BYTES_MAX;
    }

    /** Reports, node transitions and releases free what is held; they are never turned away for load. */
    private static boolean sheds(Envelope command) {
        return switch (command.getCommandCase()) {
            case SUBMIT_JOB,
                    CANCEL_JOB,
                    RESIZE_JOB,
                    COMMIT_PLAN,
                    HOLD_PLAN,
                    CONFIRM_HOLD,
                    REGISTER_NODE,
                    PLAN_NODE,
                    REMOVE_NODE,
                    FREEZE_CLUSTER,
                    UNFREEZE_CLUSTER,
                    SET_ACCELERATOR,
                    SEAL_REQUEST,
                    ACKNOWLEDGE_REQUESTS -> true;
            case INIT_CLUSTER,
                    REPORT_TASKS,
                    SUSPECT_NODE,
                    CLEAR_NODE,
                    LOSE_NODE,
                    TICK,
                    RELEASE_HOLD,
                    RELEASE_ALLOCATIONS,
                    FENCE_NODE,
                    CORDON_NODE,
                    UNCORDON_NODE,
                    COMMAND_NOT_SET -> false;
        };
    }

    private void proposeWhatWaits() {
        while (true) {
            List<Waiting> group;
            synchronized (lock) {
                if (waiting.isEmpty() || entriesInFlight >= ENTRIES_IN_FLIGHT_MAX) {
                    return;
                }
                group = takeGroup();
                entriesInFlight++;
            }
            propose(group);
        }
    }

    private List<Waiting> takeGroup() {
        List<Waiting> group = new ArrayList<>();
        long bytes = 0;
        for (Waiting next = waiting.peek(); next != null; next = waiting.peek()) {
            boolean fits = group.size() < Limits.ENTRY_COMMANDS_MAX && bytes + next.bytes <= Limits.ENTRY_BYTES_MAX;
            if (!group.isEmpty() && !fits) {
                break;
            }
            group.add(next);
            bytes += next.bytes;
            waiting.remove();
        }
        return group;
    }

    private void propose(List<Waiting> group) {
        LogEntry entry = entry(group.stream().map(Waiting::command).toList());
        log.propose(entry).whenComplete((applied, failure) -> {
            synchronized (lock) {
                entriesInFlight--;
                pendingCommands -= group.size();
                group.forEach(this::over);
            }
            proposeWhatWaits();
            if (failure == null) {
                answer(group, applied);
            } else {
                Refused refused = refusal(failure);
                group.forEach(command -> command.answer.completeExceptionally(refused));
            }
        });
    }

    private void over(Waiting command) {
        pendingBytes -= command.bytes;
        requests.computeIfPresent(command.command.getRequest(), (key, times) -> times == 1 ? null : times - 1);
    }

    private static void answer(List<Waiting> group, AppliedEntry applied) {
        if (applied.outcomes().isEmpty()) {
            // This server got the entry's effect by a snapshot before it came to apply the entry.
            Refused unknown = Refused.outcomeUnknown("commit: not confirmed: its effect came with a snapshot");
            group.forEach(command -> command.answer.completeExceptionally(unknown));
            return;
        }
        for (int i = 0; i < group.size(); i++) {
            group.get(i)
                    .answer
                    .complete(new CommandOutcome(
                            applied.revision(), applied.outcomes().get(i)));
        }
    }

    private LogEntry entry(List<Envelope> commands) {
        return LogEntry.newBuilder()
                .setFeatureLevel(featureLevel)
                .setTimeMillis(clock.millis())
                .setTerm(log.leadership().term())
                .addAllCommands(commands)
                .build();
    }

    private static Refused refusal(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof ProposalFailedException failed) {
            return refusal(failed);
        }
        return Refused.outcomeUnknown("commit: not confirmed: " + cause);
    }

    private static Refused refusal(ProposalFailedException failed) {
        if (failed.outcomeUnknown()) {
            return Refused.outcomeUnknown("commit: not confirmed (expected: a quorum): " + failed.getMessage());
        }
        ErrorCode code =
                failed.leaderId().isPresent() ? ErrorCode.ERROR_CODE_NOT_LEADER : ErrorCode.ERROR_CODE_UNAVAILABLE;
        return Refused.of(code, "commit: " + failed.getMessage() + " (expected: the leader, with a quorum)");
    }
}
