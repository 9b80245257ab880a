package io.surestate.statemachine.node;

import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceHealth;
import io.surestate.api.v1.DeviceReport;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.StatusReport;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.ReportTasks;
import io.surestate.log.v1.Reported;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;
import io.surestate.statemachine.job.TaskReports;
import java.util.List;

/** An agent reports on its tasks. A report that was heard before is accepted and changes nothing. */
public final class ReportTasksHandler {
    private final TaskReports reports = new TaskReports();

    public Outcome decide(Draft draft, ReportTasks command) {
        StatusReport report = command.getReport();
        return NodeCheck.refusal(draft, command.getNode(), report.getNodeEpoch())
                .orElseGet(() -> apply(draft, command.getNode(), report));
    }

    private Outcome apply(Draft draft, String name, StatusReport report) {
        Node node = NodeCheck.node(draft, name);
        if (report.getSequence() <= node.getStatus().getReportSequence()) {
            return Outcomes.accepted();
        }
        Node.Builder heard = node.toBuilder();
        heard.getStatusBuilder().setReportSequence(report.getSequence());
        report.getDevicesList().forEach(device -> health(draft, heard, device));
        if (report.hasConditions()) {
            ToldConditions.replace(heard.getStatusBuilder(), report.getConditions(), draft.timeMillis());
        }
        draft.put(heard);
        List<String> stale = reports.apply(draft, name, report.getTasksList());
        return stale.isEmpty()
                ? Outcomes.accepted()
                : Outcome.newBuilder()
                        .setReported(Reported.newBuilder().addAllStaleAllocations(stale))
                        .build();
    }

    /** Health is told of devices that the node has; an unhealthy one is quarantined with the agent's reason. */
    static void health(Draft draft, Node.Builder node, DeviceReport report) {
        for (Device.Builder device : node.getSpecBuilder().getDevicesBuilderList()) {
            if (device.getOrdinal() == report.getOrdinal()) {
                device.setHealth(report.getHealth());
                if (report.getHealth() == DeviceHealth.DEVICE_HEALTH_UNHEALTHY) {
                    Quarantines quarantines = NodeConditions.quarantinesOf(draft, node.buildPartial());
                    quarantines.ill(report.getOrdinal(), report.getReason());
                    quarantines.into(node.getStatusBuilder());
                }
            }
        }
    }
}
