package io.surestate.agent.core;

import io.surestate.agent.driver.KnownTask;
import io.surestate.agent.driver.TaskDriver;
import io.surestate.agent.driver.TaskStates;
import io.surestate.api.Limits;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.Claim;
import io.surestate.api.v1.DesiredState;
import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.Gang;
import io.surestate.api.v1.TaskRef;
import io.surestate.api.v1.TaskReport;
import io.surestate.api.v1.TaskState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the node to what the ledger has on it: starts, stops, forgets, and pronounces lost what the ledger knows as started and
 * the node does not know. Agent thread only.
 */
final class Reconciler {
    private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);

    private final TaskDriver driver;
    /** Final words about allocations that this node does not have. */
    private final TreeMap<String, TaskReport> verdicts = new TreeMap<>();
    /** Greatest epoch seen for each member of a gang while the ledger or the node knows it. */
    private final Map<Member, Long> epochs = new HashMap<>();

    Reconciler(TaskDriver driver) {
        this.driver = driver;
    }

    private record Member(String jobUid, String group, int index) {
        static Member of(TaskRef task) {
            return new Member(task.getJobUid(), task.getGroup(), task.getIndex());
        }
    }

    /**
     * @param mayStart whether the lease and the keeper allow a start of this task now
     * @param forgotten told of each allocation that neither side knows any more
     */
    void reconcile(DesiredState desired, Predicate<DesiredTask> mayStart, Consumer<String> forgotten) {
        Map<String, KnownTask> known = new HashMap<>();
        driver.tasks().forEach(task -> known.put(task.allocationId(), task));
        Set<String> listed = new HashSet<>();
        desired.getTasksList().forEach(task -> listed.add(task.getAllocation().getId()));
        learnEpochs(desired, known);
        List<Claim> leftovers = leftovers(known, listed);
        Map<String, Gang> gangs = new HashMap<>();
        desired.getGangsList().forEach(gang -> gangs.put(gang.getJobUid(), gang));
        for (DesiredTask task : desired.getTasksList()) {
            String id = task.getAllocation().getId();
            KnownTask here = known.get(id);
            if (here == null) {
                admit(withGang(task, gangs), known, leftovers, mayStart);
            } else if (task.getStop() && task.getCheckpointFirst() && !here.ended()) {
                driver.retire(id, task.getGraceMillis());
            } else if (task.getStop() && !here.ended()) {
                driver.stop(id, task.getGraceMillis());
            }
        }
        dropUnlisted(listed, known, forgotten);
    }

    private void learnEpochs(DesiredState desired, Map<String, KnownTask> known) {
        epochs.clear();
        known.values()
                .forEach(task -> learn(task.report().getTask(), task.report().getEpoch()));
        desired.getTasksList()
                .forEach(task -> learn(
                        task.getAllocation().getTask(), task.getAllocation().getEpoch()));
    }

    private void learn(TaskRef task, long epoch) {
        epochs.merge(Member.of(task), epoch, Math::max);
    }

    /** What is still used by tasks that the ledger gave up, such as those of a node that was fenced and is back. */
    private static List<Claim> leftovers(Map<String, KnownTask> known, Set<String> listed) {
        return known.values().stream()
                .filter(task -> !task.ended() && !listed.contains(task.allocationId()))
                .map(task -> task.desired().getAllocation().getClaim())
                .toList();
    }

    private void admit(
            DesiredTask task, Map<String, KnownTask> known, List<Claim> leftovers, Predicate<DesiredTask> mayStart) {
        String id = task.getAllocation().getId();
        if (verdicts.containsKey(id)) {
            return;
        }
        if (task.getStarted()) {
            pronounce(task, TaskState.TASK_STATE_LOST, "the ledger has it as started, this node does not know it");
        } else if (task.getStop()) {
            pronounce(task, TaskState.TASK_STATE_CANCELLED, "stopped before it started");
        } else if (isStale(task)) {
            pronounce(task, TaskState.TASK_STATE_LOST, "a newer allocation of this task was seen on this node");
        } else if (task.getAllocation().getState() == AllocationState.ALLOCATION_STATE_BOUND
                && known.size() < Limits.TASKS_PER_NODE_MAX
                && !siblingRuns(task, known)
                && leftovers.stream()
                        .noneMatch(used ->
                                Claims.overlap(used, task.getAllocation().getClaim()))
                && mayStart.test(task)) {
            LOG.info("event=start allocation={} job={} task={}", id, task.getJobName(), name(task));
            driver.start(task);
        }
    }

    private static DesiredTask withGang(DesiredTask task, Map<String, Gang> gangs) {
        Gang gang = gangs.get(task.getAllocation().getTask().getJobUid());
        return gang == null || !task.hasRank()
                ? task
                : task.toBuilder().setGang(gang).build();
    }

    private boolean isStale(DesiredTask task) {
        long newest = epochs.getOrDefault(Member.of(task.getAllocation().getTask()), 0L);
        return task.getAllocation().getEpoch() < newest;
    }

    /** Two attempts of one task never run at one time. */
    private static boolean siblingRuns(DesiredTask task, Map<String, KnownTask> known) {
        Member member = Member.of(task.getAllocation().getTask());
        return known.values().stream()
                .anyMatch(other ->
                        !other.ended() && Member.of(other.report().getTask()).equals(member));
    }

    private void pronounce(DesiredTask task, TaskState state, String reason) {
        String id = task.getAllocation().getId();
        LOG.warn("event=verdict allocation={} task={} state={} reason=\"{}\"", id, name(task), state, reason);
        verdicts.put(
                id,
                TaskReport.newBuilder()
                        .setAllocationId(id)
                        .setEpoch(task.getAllocation().getEpoch())
                        .setTask(task.getAllocation().getTask())
                        .setState(state)
                        .setReason(reason)
                        .build());
    }

    private void dropUnlisted(Set<String> listed, Map<String, KnownTask> known, Consumer<String> forgotten) {
        for (KnownTask task : known.values()) {
            if (listed.contains(task.allocationId())) {
                continue;
            }
            if (task.ended()) {
                driver.forget(task.allocationId());
                forgotten.accept(task.allocationId());
            } else {
                driver.stop(task.allocationId(), Limits.STOP_GRACE_MILLIS);
            }
        }
        List<String> gone = new ArrayList<>(verdicts.keySet());
        gone.removeAll(listed);
        gone.forEach(id -> {
            verdicts.remove(id);
            forgotten.accept(id);
        });
    }

    /** Everything that is true of this node's tasks. */
    List<TaskReport> reports() {
        List<TaskReport> all = new ArrayList<>();
        driver.tasks().forEach(task -> all.add(task.report()));
        all.addAll(verdicts.values());
        return all;
    }

    /** Known tasks that run and must not outlive the lease, as the ledger wants it now or else as it was at their start. */
    List<KnownTask> guarded(DesiredState desired) {
        Map<String, DesiredTask> newest = new HashMap<>();
        desired.getTasksList().forEach(task -> newest.put(task.getAllocation().getId(), task));
        return driver.tasks().stream()
                .filter(task -> !task.ended()
                        && TaskStates.stopsAtLeaseEnd(newest.getOrDefault(task.allocationId(), task.desired())))
                .toList();
    }

    private static String name(DesiredTask task) {
        TaskRef ref = task.getAllocation().getTask();
        return ref.getGroup() + "/" + ref.getIndex() + "#" + ref.getAttempt();
    }
}
