package io.surestate.agent.core;

import io.surestate.agent.driver.TaskStates;
import io.surestate.api.Limits;
import io.surestate.api.v1.StatusReport;
import io.surestate.api.v1.TaskReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What the leader was told and has acknowledged, so that exactly what differs is told again. Agent thread only.
 *
 * <p>One report is on its way at a time. It is repeated unchanged until it is acknowledged or the epoch ends: its sequence number
 * may have been applied already, and other content under that number would be ignored.
 *
 * <p>How a task ended is told at once. Other news waits a moment, so that a short task is told of once and takes one command.
 */
final class Reports {
    private static final long NEWS_WAIT_MILLIS = 500;

    private final Map<String, TaskReport> acknowledged = new HashMap<>();
    /** Since when something waits to be told of an allocation. */
    private final Map<String, Long> newsMillis = new HashMap<>();

    private Optional<StatusReport> inFlight = Optional.empty();
    private long epoch;
    private long lastSequence;
    private long sentMillis;

    /** The leader registered this node and heard {@code inventory} with the hello. */
    void registered(long epoch, List<TaskReport> inventory) {
        if (epoch != this.epoch) {
            this.epoch = epoch;
            lastSequence = 0;
            inFlight = Optional.empty();
        }
        acknowledged.clear();
        inventory.forEach(task -> acknowledged.put(task.getAllocationId(), task));
        sentMillis = Long.MIN_VALUE;
    }

    /** What to send now, if anything. */
    Optional<StatusReport> next(List<TaskReport> current, long nowMillis) {
        if (inFlight.isPresent()) {
            if (sentMillis != Long.MIN_VALUE && nowMillis - sentMillis < Limits.REPORT_RESEND_MILLIS) {
                return Optional.empty();
            }
        } else {
            inFlight = difference(current, nowMillis);
        }
        sentMillis = nowMillis;
        return inFlight;
    }

    private Optional<StatusReport> difference(List<TaskReport> current, long nowMillis) {
        List<TaskReport> changed = new ArrayList<>();
        for (TaskReport report : current) {
            if (changed.size() < Limits.REPORTS_PER_MESSAGE_MAX
                    && !report.equals(acknowledged.get(report.getAllocationId()))
                    && isDue(report, nowMillis)) {
                changed.add(report);
            }
        }
        if (changed.isEmpty()) {
            return Optional.empty();
        }
        changed.forEach(report -> newsMillis.remove(report.getAllocationId()));
        return Optional.of(StatusReport.newBuilder()
                .setNodeEpoch(epoch)
                .setSequence(++lastSequence)
                .addAllTasks(changed)
                .build());
    }

    private boolean isDue(TaskReport report, long nowMillis) {
        return TaskStates.isFinal(report.getState())
                || nowMillis - newsMillis.computeIfAbsent(report.getAllocationId(), id -> nowMillis)
                        >= NEWS_WAIT_MILLIS;
    }

    void acknowledged(long sequence) {
        inFlight.filter(report -> report.getSequence() == sequence).ifPresent(report -> {
            report.getTasksList().forEach(task -> acknowledged.put(task.getAllocationId(), task));
            inFlight = Optional.empty();
        });
    }

    /** The ledger dropped it and so did the node. */
    void forget(String allocationId) {
        acknowledged.remove(allocationId);
        newsMillis.remove(allocationId);
    }
}
