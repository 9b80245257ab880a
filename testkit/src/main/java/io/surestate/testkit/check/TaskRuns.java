package io.surestate.testkit.check;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.TaskRef;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * What really started and ended on machines, held against the ledger: two attempts of one task never run at one time, none starts that
 * the ledger does not count on that machine, that started before or that a newer one followed, and nothing is given back while it is
 * used. Every check answers with what is wrong. One thread.
 */
public final class TaskRuns {
    private final Predicate<Run> excused;
    private final Map<String, Allocation> counted = new HashMap<>();
    private final Map<String, Long> stepWhenBound = new HashMap<>();
    private final Set<String> startedOnce = new HashSet<>();
    private final Map<String, Long> newestStarted = new HashMap<>();
    private final Map<String, Long> newestBound = new HashMap<>();
    private final TreeMap<String, Run> running = new TreeMap<>();
    private long starts;

    /** A task attempt that runs. */
    public record Run(String machine, Allocation allocation) {
        String member() {
            return TaskRuns.member(allocation.getTask());
        }

        @Override
        public String toString() {
            return allocation.getId() + " of task " + member() + " attempt "
                    + allocation.getTask().getAttempt() + " epoch " + allocation.getEpoch() + " on " + machine;
        }
    }

    /** @param excused runs that may still be there although their end was taken for granted */
    public TaskRuns(Predicate<Run> excused) {
        this.excused = excused;
    }

    private static String member(TaskRef task) {
        return task.getJobUid() + "/" + task.getGroup() + "/" + task.getIndex();
    }

    /**
     * The ledger has it from now on, or has it otherwise than before.
     *
     * @param committedStep the checkpoint that its job has
     */
    public Optional<String> allocated(Allocation allocation, long committedStep) {
        Allocation before = counted.put(allocation.getId(), allocation);
        boolean bound = allocation.getState() == AllocationState.ALLOCATION_STATE_BOUND
                && (before == null || before.getState() != AllocationState.ALLOCATION_STATE_BOUND);
        return bound && allocation.hasTask() ? epoch(allocation, committedStep) : Optional.empty();
    }

    private Optional<String> epoch(Allocation allocation, long committedStep) {
        stepWhenBound.put(allocation.getId(), committedStep);
        Long before = newestBound.put(member(allocation.getTask()), allocation.getEpoch());
        return before == null || before < allocation.getEpoch()
                ? Optional.empty()
                : Optional.of("allocation " + allocation.getId() + " of task " + member(allocation.getTask())
                        + " has epoch " + allocation.getEpoch() + " after " + before);
    }

    /** The ledger gave its place back. */
    public Optional<String> removed(String allocationId) {
        counted.remove(allocationId);
        return Optional.ofNullable(running.get(allocationId))
                .filter(excused.negate())
                .map(run -> "the ledger dropped " + run + ", which still runs");
    }

    /**
     * It starts on a machine.
     *
     * @param resumeStep the checkpoint that it starts from
     */
    public Optional<String> started(Run run, long resumeStep) {
        starts++;
        String id = run.allocation().getId();
        Optional<String> problem = Stream.of(
                        unknown(run), again(run), twice(run), stale(run), older(run, resumeStep), tooMuch(run))
                .flatMap(Optional::stream)
                .findFirst();
        running.put(id, run);
        startedOnce.add(id);
        newestStarted.merge(run.member(), run.allocation().getEpoch(), Math::max);
        return problem;
    }

    /** Nobody but the ledger says that something may run: what it keeps for somebody, or has promised, must not. */
    private Optional<String> unknown(Run run) {
        Allocation ledger = counted.get(run.allocation().getId());
        boolean same = ledger != null
                && (ledger.getState() == AllocationState.ALLOCATION_STATE_BOUND
                        || ledger.getState() == AllocationState.ALLOCATION_STATE_RELEASING)
                && ledger.getEpoch() == run.allocation().getEpoch()
                && ledger.getNode().equals(run.allocation().getNode())
                && ledger.getClaim().equals(run.allocation().getClaim());
        return same ? Optional.empty() : Optional.of("started, but not in the ledger: " + run);
    }

    private Optional<String> again(Run run) {
        return startedOnce.contains(run.allocation().getId())
                ? Optional.of("started a second time: " + run)
                : Optional.empty();
    }

    private Optional<String> twice(Run run) {
        return running.values().stream()
                .filter(other -> other.member().equals(run.member()))
                .filter(excused.negate())
                .findFirst()
                .map(other -> "task runs twice: " + other + " while " + run);
    }

    private Optional<String> stale(Run run) {
        long newest = newestStarted.getOrDefault(run.member(), 0L);
        return run.allocation().getEpoch() > newest
                ? Optional.empty()
                : Optional.of("started with a stale epoch, " + newest + " was there before: " + run);
    }

    private Optional<String> older(Run run, long resumeStep) {
        long committed = stepWhenBound.getOrDefault(run.allocation().getId(), 0L);
        return resumeStep >= committed
                ? Optional.empty()
                : Optional.of("resumed from step " + resumeStep + ", " + committed + " was committed: " + run);
    }

    private Optional<String> tooMuch(Run run) {
        List<Run> others = running.values().stream()
                .filter(other -> other.machine().equals(run.machine()))
                .filter(excused.negate())
                .toList();
        return Shares.tooMuch(Stream.concat(Stream.of(run), others.stream()).map(Run::allocation))
                .map(what -> run.machine() + " is used " + what + " by " + others + " and " + run);
    }

    /** Nothing of it runs any more. */
    public void ended(String allocationId) {
        running.remove(allocationId);
    }

    /** Something runs on a machine now, however it came there. */
    public Optional<String> seen(Run run) {
        return excused.test(run) ? Optional.empty() : unknown(run).map(what -> "runs, " + what);
    }

    /** How many starts were looked at. */
    public long starts() {
        return starts;
    }

    public List<Run> running() {
        return List.copyOf(running.values());
    }
}
