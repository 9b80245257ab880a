package io.surestate.statemachine;

import io.surestate.api.v1.ErrorCode;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.Outcome;
import io.surestate.statemachine.cluster.FreezeHandler;
import io.surestate.statemachine.cluster.InitClusterHandler;
import io.surestate.statemachine.cluster.SetAcceleratorHandler;
import io.surestate.statemachine.cluster.TickHandler;
import io.surestate.statemachine.decision.Caller;
import io.surestate.statemachine.decision.Draft;
import io.surestate.statemachine.decision.Outcomes;
import io.surestate.statemachine.job.CancelJobHandler;
import io.surestate.statemachine.job.ResizeJobHandler;
import io.surestate.statemachine.job.SubmitJobHandler;
import io.surestate.statemachine.ledger.CommitPlanHandler;
import io.surestate.statemachine.ledger.ConfirmHoldHandler;
import io.surestate.statemachine.ledger.HoldPlanHandler;
import io.surestate.statemachine.ledger.ReleaseAllocationsHandler;
import io.surestate.statemachine.ledger.ReleaseHoldHandler;
import io.surestate.statemachine.node.ClearNodeHandler;
import io.surestate.statemachine.node.CordonHandler;
import io.surestate.statemachine.node.FenceNodeHandler;
import io.surestate.statemachine.node.LoseNodeHandler;
import io.surestate.statemachine.node.PlannedNodesHandler;
import io.surestate.statemachine.node.RegisterNodeHandler;
import io.surestate.statemachine.node.ReportTasksHandler;
import io.surestate.statemachine.node.SuspectNodeHandler;
import io.surestate.statemachine.request.AcknowledgeRequestsHandler;
import io.surestate.statemachine.request.SealRequestHandler;

/** One handler for each command. */
final class StandardHandlers implements CommandHandlers {
    private final InitClusterHandler initCluster = new InitClusterHandler();
    private final SubmitJobHandler submitJob = new SubmitJobHandler();
    private final CancelJobHandler cancelJob = new CancelJobHandler();
    private final ResizeJobHandler resizeJob = new ResizeJobHandler();
    private final CommitPlanHandler commitPlan = new CommitPlanHandler();
    private final RegisterNodeHandler registerNode = new RegisterNodeHandler();
    private final ReportTasksHandler reportTasks = new ReportTasksHandler();
    private final SuspectNodeHandler suspectNode = new SuspectNodeHandler();
    private final ClearNodeHandler clearNode = new ClearNodeHandler();
    private final LoseNodeHandler loseNode = new LoseNodeHandler();
    private final SetAcceleratorHandler setAccelerator = new SetAcceleratorHandler();
    private final TickHandler tick = new TickHandler();
    private final HoldPlanHandler holdPlan = new HoldPlanHandler();
    private final ConfirmHoldHandler confirmHold = new ConfirmHoldHandler();
    private final ReleaseHoldHandler releaseHold = new ReleaseHoldHandler();
    private final ReleaseAllocationsHandler releaseAllocations = new ReleaseAllocationsHandler();
    private final FenceNodeHandler fenceNode = new FenceNodeHandler();
    private final CordonHandler cordon = new CordonHandler();
    private final PlannedNodesHandler plannedNodes = new PlannedNodesHandler();
    private final FreezeHandler freeze = new FreezeHandler();
    private final SealRequestHandler sealRequest = new SealRequestHandler();
    private final AcknowledgeRequestsHandler acknowledgeRequests = new AcknowledgeRequestsHandler();

    @Override
    public Outcome decide(Draft draft, Envelope envelope) {
        Caller caller = Caller.of(envelope);
        return switch (envelope.getCommandCase()) {
            case INIT_CLUSTER -> initCluster.decide(draft, envelope.getInitCluster());
            case SUBMIT_JOB -> submitJob.decide(draft, envelope.getSubmitJob());
            case CANCEL_JOB -> cancelJob.decide(draft, envelope.getCancelJob());
            case RESIZE_JOB -> resizeJob.decide(draft, envelope.getResizeJob());
            case COMMIT_PLAN -> commitPlan.decide(draft, caller, envelope.getCommitPlan());
            case REGISTER_NODE -> registerNode.decide(draft, envelope.getRegisterNode());
            case REPORT_TASKS -> reportTasks.decide(draft, envelope.getReportTasks());
            case SUSPECT_NODE -> suspectNode.decide(draft, envelope.getSuspectNode());
            case CLEAR_NODE -> clearNode.decide(draft, envelope.getClearNode());
            case LOSE_NODE -> loseNode.decide(draft, envelope.getLoseNode());
            case TICK -> tick.decide(draft);
            case HOLD_PLAN -> holdPlan.decide(draft, caller, envelope.getHoldPlan());
            case CONFIRM_HOLD -> confirmHold.decide(draft, caller, envelope.getConfirmHold());
            case RELEASE_HOLD -> releaseHold.decide(draft, caller, envelope.getReleaseHold());
            case RELEASE_ALLOCATIONS -> releaseAllocations.decide(draft, caller, envelope.getReleaseAllocations());
            case FENCE_NODE -> fenceNode.decide(draft, envelope.getFenceNode());
            case CORDON_NODE -> cordon.cordon(draft, caller, envelope.getCordonNode());
            case UNCORDON_NODE -> cordon.uncordon(draft, envelope.getUncordonNode());
            case PLAN_NODE -> plannedNodes.plan(draft, envelope.getPlanNode());
            case REMOVE_NODE -> plannedNodes.remove(draft, envelope.getRemoveNode());
            case FREEZE_CLUSTER -> freeze.freeze(draft, envelope.getFreezeCluster());
            case UNFREEZE_CLUSTER -> freeze.unfreeze(draft);
            case SET_ACCELERATOR -> setAccelerator.decide(draft, envelope.getSetAccelerator());
            case SEAL_REQUEST -> sealRequest.decide(draft, caller, envelope.getSealRequest());
            case ACKNOWLEDGE_REQUESTS -> acknowledgeRequests.decide(draft, caller, envelope.getAcknowledgeRequests());
            case COMMAND_NOT_SET ->
                Outcomes.rejected(ErrorCode.ERROR_CODE_UNSUPPORTED, "command", "", "one that this version knows");
        };
    }
}
