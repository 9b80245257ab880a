package io.surestate.statemachine.row;

import com.google.protobuf.ByteString;
import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobEvent;
import io.surestate.api.v1.Task;
import io.surestate.statemachine.state.Change;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Which rows the changes of one entry touch: live rows by name, history rows with what is written. Used by one thread. */
final class TouchedRows implements Change.Visitor<Integer> {
    private final Set<LiveRow> live = new LinkedHashSet<>();
    private final Map<ByteString, ByteString> history = new LinkedHashMap<>();
    private final long revision;
    private int allocationChanges;

    TouchedRows(long revision) {
        this.revision = revision;
    }

    Set<LiveRow> live() {
        return Collections.unmodifiableSet(live);
    }

    Map<ByteString, ByteString> history() {
        return Collections.unmodifiableMap(history);
    }

    @Override
    public Integer meta(Change.MetaPut change) {
        return touch(new LiveRow.MetaRow());
    }

    @Override
    public Integer job(Change.JobPut change) {
        return touch(new LiveRow.JobRow(change.job().getUid()));
    }

    @Override
    public Integer jobFinished(Change.JobFinished change) {
        Job job = change.job();
        touch(new LiveRow.JobRow(job.getUid()));
        history.put(HistoryRows.job(job.getUid()), HistoryRows.value(revision, job));
        history.put(
                HistoryRows.named(job.getTenant(), job.getName(), job.getUid()),
                HistoryRows.value(revision, job.getUid()));
        for (Task task : change.tasks()) {
            touchTask(task);
            archive(task);
        }
        return 1;
    }

    @Override
    public Integer jobEvent(Change.JobEventAppended change) {
        JobEvent event = change.event();
        history.put(HistoryRows.event(event.getJobUid(), change.ordinal()), HistoryRows.value(revision, event));
        return 1;
    }

    @Override
    public Integer task(Change.TaskPut change) {
        return touchTask(change.task());
    }

    @Override
    public Integer taskArchived(Change.TaskArchived change) {
        return archive(change.task());
    }

    @Override
    public Integer node(Change.NodePut change) {
        return touch(new LiveRow.NodeRow(change.node().getName()));
    }

    @Override
    public Integer nodeRemoved(Change.NodeRemoved change) {
        return touch(new LiveRow.NodeRow(change.name()));
    }

    @Override
    public Integer allocation(Change.AllocationPut change) {
        Allocation allocation = change.allocation();
        if (allocation.getEpoch() == revision) {
            listAllocation(allocation);
        }
        return touchAllocation(allocation);
    }

    /** Where a new allocation can be found again. */
    private void listAllocation(Allocation allocation) {
        ByteString id = HistoryRows.value(revision, allocation.getId());
        history.put(HistoryRows.allocationOfNode(allocation.getNode(), allocation.getId()), id);
        if (allocation.hasTask()) {
            history.put(HistoryRows.allocationOfJob(allocation.getTask().getJobUid(), allocation.getId()), id);
        }
    }

    @Override
    public Integer allocationRemoved(Change.AllocationRemoved change) {
        return touchAllocation(change.allocation());
    }

    @Override
    public Integer hold(Change.HoldPut change) {
        return touch(new LiveRow.HoldRow(change.hold().getId()));
    }

    @Override
    public Integer holdRemoved(Change.HoldRemoved change) {
        return touch(new LiveRow.HoldRow(change.id()));
    }

    @Override
    public Integer outcome(Change.OutcomePut change) {
        return touch(new LiveRow.OutcomeRow(change.outcome().getKey()));
    }

    @Override
    public Integer outcomeRemoved(Change.OutcomeRemoved change) {
        return touch(new LiveRow.OutcomeRow(change.key()));
    }

    private int touch(LiveRow row) {
        live.add(row);
        return 1;
    }

    private int touchTask(Task task) {
        return touch(new LiveRow.TaskRow(task.getJobUid(), task.getGroup(), task.getIndex()));
    }

    private int touchAllocation(Allocation allocation) {
        history.put(
                HistoryRows.allocation(allocation.getId(), revision, allocationChanges++),
                HistoryRows.value(revision, allocation));
        return touch(new LiveRow.AllocationRow(allocation.getNode(), allocation.getId()));
    }

    private int archive(Task task) {
        history.put(
                HistoryRows.task(task.getJobUid(), task.getAttempt(), task.getGroup(), task.getIndex()),
                HistoryRows.value(revision, task));
        return 1;
    }
}
