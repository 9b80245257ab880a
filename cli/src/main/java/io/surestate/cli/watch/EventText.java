package io.surestate.cli.watch;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.Hold;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobEvent;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeStatus;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.WatchEvent;
import io.surestate.cli.output.AllocationText;
import io.surestate.manifest.dialect.EnumNames;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;

/** Changes in words. Remembers the names of the jobs that it saw last, because tasks only tell their job's uid. One thread. */
final class EventText {
    private static final int NAMES_MAX = 10_000;

    private final Map<String, String> jobNames = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
            return size() > NAMES_MAX;
        }
    };

    /**
     * A change in words.
     *
     * @param kind job, task, event, node, alloc or hold
     * @param name of what changed
     * @param what how it is now
     */
    record Words(String kind, String name, String what) {}

    Words of(WatchEvent event) {
        return switch (event.getChangeCase()) {
            case JOB -> job(event.getJob());
            case TASK -> task(event.getTask());
            case JOB_EVENT -> jobEvent(event.getJobEvent());
            case NODE -> node(event.getNode());
            case ALLOCATION -> allocation(event.getAllocation());
            case ALLOCATION_RELEASED ->
                new Words("alloc", event.getAllocationReleased().getId(), released(event.getAllocationReleased()));
            case HOLD -> hold(event.getHold());
            case JOB_REMOVED -> new Words("job", jobName(event.getJobRemoved()), "gone to history");
            case NODE_REMOVED -> new Words("node", event.getNodeRemoved(), "removed");
            case CHANGE_NOT_SET -> new Words("?", "", "a kind of change that this ssctl does not know");
        };
    }

    private Words job(Job job) {
        jobNames.put(job.getUid(), job.getName());
        return new Words(
                "job",
                job.getName(),
                words(
                        EnumNames.shortName(job.getStatus().getPhase().getValueDescriptor()),
                        "attempt " + job.getStatus().getAttempt(),
                        job.getStatus().getReason()));
    }

    private Words task(Task task) {
        return new Words(
                "task",
                jobName(task.getJobUid()) + "/" + task.getGroup() + "/" + task.getIndex(),
                words(
                        EnumNames.shortName(task.getState().getValueDescriptor()),
                        "attempt " + task.getAttempt(),
                        task.getNode().isEmpty() ? "" : "on " + task.getNode(),
                        task.getReason()));
    }

    private Words jobEvent(JobEvent event) {
        return new Words(
                "event",
                jobName(event.getJobUid()),
                words(EnumNames.shortName(event.getKind().getValueDescriptor()), event.getTask(), event.getMessage()));
    }

    private static Words node(Node node) {
        NodeStatus status = node.getStatus();
        return new Words(
                "node",
                node.getName(),
                words(
                        EnumNames.shortName(status.getState().getValueDescriptor()),
                        status.hasCordon() ? status.getCordon().getDrain() ? "DRAINING" : "CORDONED" : "",
                        status.getOversubscribedCount() == 0 ? "" : "OVERSUBSCRIBED",
                        status.getQuarantinedCount() == 0 ? "" : status.getQuarantinedCount() + " QUARANTINED",
                        status.getReason()));
    }

    private static Words allocation(Allocation allocation) {
        return new Words(
                "alloc",
                allocation.getId(),
                words(AllocationText.state(allocation), place(allocation), allocation.getReason()));
    }

    private static String released(Allocation allocation) {
        return words("RELEASED", place(allocation), allocation.getReason());
    }

    private static String place(Allocation allocation) {
        return "on " + allocation.getNode() + " of " + AllocationText.owner(allocation);
    }

    private static Words hold(Hold hold) {
        return new Words(
                "hold",
                hold.getId(),
                words(
                        EnumNames.shortName(hold.getState().getValueDescriptor()),
                        hold.getAllocations() + " allocations",
                        "by " + hold.getScheduler()));
    }

    private String jobName(String uid) {
        return jobNames.getOrDefault(uid, uid);
    }

    private static String words(String... parts) {
        StringJoiner joined = new StringJoiner(", ");
        for (String part : parts) {
            if (!part.isEmpty()) {
                joined.add(part);
            }
        }
        return joined.toString();
    }
}
