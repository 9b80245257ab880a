package io.surestate.statemachine;

import io.surestate.api.v1.ErrorCode;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.Outcome;
import io.surestate.statemachine.cluster.InitClusterHandler;
import io.surestate.statemachine.cluster.TickHandler;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;
import io.surestate.statemachine.job.CancelJobHandler;
import io.surestate.statemachine.job.SubmitJobHandler;
import io.surestate.statemachine.ledger.CommitPlanHandler;
import io.surestate.statemachine.node.ClearNodeHandler;
import io.surestate.statemachine.node.LoseNodeHandler;
import io.surestate.statemachine.node.RegisterNodeHandler;
import io.surestate.statemachine.node.ReportTasksHandler;
import io.surestate.statemachine.node.SuspectNodeHandler;

/** One handler for each command. */
final class StandardHandlers implements CommandHandlers {
    private final InitClusterHandler initCluster = new InitClusterHandler();
    private final SubmitJobHandler submitJob = new SubmitJobHandler();
    private final CancelJobHandler cancelJob = new CancelJobHandler();
    private final CommitPlanHandler commitPlan = new CommitPlanHandler();
    private final RegisterNodeHandler registerNode = new RegisterNodeHandler();
    private final ReportTasksHandler reportTasks = new ReportTasksHandler();
    private final SuspectNodeHandler suspectNode = new SuspectNodeHandler();
    private final ClearNodeHandler clearNode = new ClearNodeHandler();
    private final LoseNodeHandler loseNode = new LoseNodeHandler();
    private final TickHandler tick = new TickHandler();

    @Override
    public Outcome decide(Draft draft, Envelope envelope) {
        return switch (envelope.getCommandCase()) {
            case INIT_CLUSTER -> initCluster.decide(draft, envelope.getInitCluster());
            case SUBMIT_JOB -> submitJob.decide(draft, envelope.getSubmitJob());
            case CANCEL_JOB -> cancelJob.decide(draft, envelope.getCancelJob());
            case COMMIT_PLAN -> commitPlan.decide(draft, envelope.getCommitPlan());
            case REGISTER_NODE -> registerNode.decide(draft, envelope.getRegisterNode());
            case REPORT_TASKS -> reportTasks.decide(draft, envelope.getReportTasks());
            case SUSPECT_NODE -> suspectNode.decide(draft, envelope.getSuspectNode());
            case CLEAR_NODE -> clearNode.decide(draft, envelope.getClearNode());
            case LOSE_NODE -> loseNode.decide(draft, envelope.getLoseNode());
            case TICK -> tick.decide(draft);
            default ->
                Outcomes.rejected(ErrorCode.ERROR_CODE_UNSUPPORTED, "command", "", "one that this version knows");
        };
    }
}
