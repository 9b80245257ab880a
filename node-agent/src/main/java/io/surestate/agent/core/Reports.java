package io.surestate.agent.core;

import io.surestate.agent.driver.TaskStates;
import io.surestate.api.Limits;
import io.surestate.api.v1.DeviceHealth;
import io.surestate.api.v1.DeviceReport;
import io.surestate.api.v1.NodeConditionList;
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

    private final Map<Integer, DeviceHealth> healthTold = new HashMap<>();

    private NodeConditionList conditionsTold = NodeConditionList.getDefaultInstance();
    /** A picture of which everything was told. */
    private Optional<NodePicture> settled = Optional.empty();

    private Optional<StatusReport> inFlight = Optional.empty();
    private long epoch;
    private long lastSequence;
    private long sentMillis;

    /** The leader registered this node and heard {@code inventory} and {@code picture} with the hello. */
    void registered(long epoch, List<TaskReport> inventory, NodePicture picture) {
        if (epoch != this.epoch) {
            this.epoch = epoch;
            lastSequence = 0;
            inFlight = Optional.empty();
        }
        acknowledged.clear();
        inventory.forEach(task -> acknowledged.put(task.getAllocationId(), task));
        settled = Optional.empty();
        healthTold.clear();
        healthTold.putAll(NodePicture.byOrdinal(picture.health()));
        conditionsTold = picture.conditions();
        sentMillis = Long.MIN_VALUE;
    }

    /** What to send now, if anything. */
    Optional<StatusReport> next(List<TaskReport> current, NodePicture picture, long nowMillis) {
        if (inFlight.isPresent()) {
            if (sentMillis != Long.MIN_VALUE && nowMillis - sentMillis < Limits.REPORT_RESEND_MILLIS) {
                return Optional.empty();
            }
        } else {
            inFlight = difference(current, picture, nowMillis);
        }
        sentMillis = nowMillis;
        return inFlight;
    }

    private Optional<StatusReport> difference(List<TaskReport> current, NodePicture picture, long nowMillis) {
        List<TaskReport> changed = new ArrayList<>();
        for (TaskReport report : current) {
            if (changed.size() < Limits.REPORTS_PER_MESSAGE_MAX
                    && !report.equals(acknowledged.get(report.getAllocationId()))
                    && isDue(report, nowMillis)) {
                changed.add(report);
            }
        }
        StatusReport.Builder report = StatusReport.newBuilder().addAllTasks(changed);
        addNews(report, picture);
        if (report.build().equals(StatusReport.getDefaultInstance())) {
            return Optional.empty();
        }
        changed.forEach(told -> newsMillis.remove(told.getAllocationId()));
        return Optional.of(
                report.setNodeEpoch(epoch).setSequence(++lastSequence).build());
    }

    /** Adds what of a picture was not told. */
    private void addNews(StatusReport.Builder report, NodePicture picture) {
        if (settled.filter(picture::equals).isPresent()) {
            return;
        }
        List<DeviceReport> health = health(picture);
        boolean sameConditions = picture.conditions().equals(conditionsTold);
        report.addAllDevices(health);
        if (!sameConditions) {
            report.setConditions(picture.conditions());
        }
        settled = sameConditions && health.isEmpty() ? Optional.of(picture) : Optional.empty();
    }

    /** Of devices that the leader knows, those that are otherwise than it heard. */
    private List<DeviceReport> health(NodePicture picture) {
        return picture.health().stream()
                .filter(report -> healthTold.containsKey(report.getOrdinal())
                        && healthTold.get(report.getOrdinal()) != report.getHealth())
                .toList();
    }

    private boolean isDue(TaskReport report, long nowMillis) {
        return TaskStates.isFinal(report.getState())
                || nowMillis - newsMillis.computeIfAbsent(report.getAllocationId(), id -> nowMillis)
                        >= NEWS_WAIT_MILLIS;
    }

    void acknowledged(long sequence) {
        inFlight.filter(report -> report.getSequence() == sequence).ifPresent(report -> {
            report.getTasksList().forEach(task -> acknowledged.put(task.getAllocationId(), task));
            healthTold.putAll(NodePicture.byOrdinal(report.getDevicesList()));
            if (report.hasConditions()) {
                conditionsTold = report.getConditions();
            }
            inFlight = Optional.empty();
        });
    }

    /** The ledger dropped it and so did the node. */
    void forget(String allocationId) {
        acknowledged.remove(allocationId);
        newsMillis.remove(allocationId);
    }
}
