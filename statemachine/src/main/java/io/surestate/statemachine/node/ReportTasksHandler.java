package io.surestate.statemachine.node;

import io.surestate.api.v1.Node;
import io.surestate.api.v1.StatusReport;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.ReportTasks;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;
import io.surestate.statemachine.job.TaskReports;

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
        if (report.getSequence() > node.getStatus().getReportSequence()) {
            Node.Builder heard = node.toBuilder();
            heard.getStatusBuilder().setReportSequence(report.getSequence());
            draft.put(heard);
            reports.apply(draft, name, report.getTasksList());
        }
        return Outcomes.accepted();
    }
}
