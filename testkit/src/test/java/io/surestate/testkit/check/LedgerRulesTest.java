package io.surestate.testkit.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.Claim;
import io.surestate.api.v1.CommittedGang;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.NodeState;
import io.surestate.api.v1.NodeStatus;
import io.surestate.api.v1.NumaNode;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.Plan;
import io.surestate.api.v1.PlanResult;
import io.surestate.log.v1.CommitPlan;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.LogEntry;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.ReleaseAllocations;
import io.surestate.log.v1.Released;
import io.surestate.log.v1.Tick;
import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.CommittedEntry;
import io.surestate.statemachine.state.Change;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LedgerRulesTest {
    private final LedgerRules rules = new LedgerRules();

    private static Allocation place(long index, int ordinal, int milli, AllocationState state) {
        return Allocation.newBuilder()
                .setId(String.format("%016x-%06x", index, ordinal))
                .setName("gang-" + index)
                .setNode("n1")
                .setEpoch(index)
                .setState(state)
                .setClaim(Claim.newBuilder()
                        .addCores(CoreShare.newBuilder().setCoreId(0).setMilli(milli)))
                .build();
    }

    private static Allocation bound(long index, int milli) {
        return place(index, 0, milli, AllocationState.ALLOCATION_STATE_BOUND);
    }

    private Optional<String> entry(long index, Envelope command, Outcome outcome, Change... changes) {
        LogEntry entry = LogEntry.newBuilder().addCommands(command).build();
        return rules.add(
                CommittedEntry.of(1, index, entry), new AppliedEntry(index, 0, List.of(outcome), List.of(changes)));
    }

    private Optional<String> tick(long index, Change... changes) {
        Envelope tick = Envelope.newBuilder().setTick(Tick.getDefaultInstance()).build();
        return entry(index, tick, Outcome.getDefaultInstance(), changes);
    }

    private void ready() {
        Node node = Node.newBuilder()
                .setName("n1")
                .setSpec(NodeSpec.newBuilder().addNuma(NumaNode.newBuilder().addCoreIds(0)))
                .setStatus(NodeStatus.newBuilder().setState(NodeState.NODE_STATE_READY))
                .build();
        assertThat(tick(1, new Change.NodePut(node))).isEmpty();
    }

    private Optional<String> plan(long index, int placements, Allocation... made) {
        GangPlacement.Builder gang = GangPlacement.newBuilder().setName("gang-" + index);
        for (int i = 0; i < placements; i++) {
            gang.addPlacements(Placement.newBuilder().setNode("n1"));
        }
        Envelope command = Envelope.newBuilder()
                .setCommitPlan(CommitPlan.newBuilder().setPlan(Plan.newBuilder().addGangs(gang)))
                .build();
        Outcome outcome = Outcome.newBuilder()
                .setPlan(PlanResult.newBuilder()
                        .setRevision(index)
                        .addCommitted(CommittedGang.newBuilder().setAllocations(placements)))
                .build();
        Change[] changes = new Change[made.length];
        for (int i = 0; i < made.length; i++) {
            changes[i] = new Change.AllocationPut(made[i]);
        }
        return entry(index, command, outcome, changes);
    }

    private Optional<String> letGo(long index, Allocation gone) {
        Envelope command = Envelope.newBuilder()
                .setReleaseAllocations(ReleaseAllocations.newBuilder().setName(gone.getName()))
                .build();
        Outcome outcome = Outcome.newBuilder()
                .setReleased(Released.newBuilder().setCount(1))
                .build();
        return entry(index, command, outcome, new Change.AllocationRemoved(gone));
    }

    @Test
    void aPlanAndItsReleaseAreRight() {
        ready();
        assertThat(plan(2, 1, bound(2, 1_000))).isEmpty();
        assertThat(letGo(3, bound(2, 1_000))).isEmpty();
        assertThat(plan(4, 1, bound(4, 1_000))).isEmpty();
    }

    @Test
    void moreThanACoreIsFound() {
        ready();
        assertThat(plan(2, 1, bound(2, 1_000))).isEmpty();
        assertThat(plan(3, 1, bound(3, 1)))
                .hasValueSatisfying(what -> assertThat(what).contains("1001 of core 0"));
    }

    @Test
    void halfAGangIsFound() {
        ready();
        assertThat(plan(2, 2, bound(2, 300)))
                .hasValueSatisfying(what -> assertThat(what).contains("half a gang"));
    }

    @Test
    void whatNoPlanMadeIsFound() {
        assertThat(tick(2, new Change.AllocationPut(bound(2, 300))))
                .hasValueSatisfying(what -> assertThat(what).contains("without a plan"));
    }

    @Test
    void aPlaceThatIsGivenBackWithoutProofIsFound() {
        ready();
        assertThat(plan(2, 1, bound(2, 1_000))).isEmpty();
        assertThat(tick(3, new Change.AllocationRemoved(bound(2, 1_000))))
                .hasValueSatisfying(what -> assertThat(what).contains("without proof"));
    }

    @Test
    void aNominationThatWaitsForNothingIsFound() {
        ready();
        assertThat(plan(2, 1, bound(2, 1_000))).isEmpty();
        Allocation evicted = place(2, 0, 1_000, AllocationState.ALLOCATION_STATE_RELEASING);
        Allocation promised = place(3, 0, 1_000, AllocationState.ALLOCATION_STATE_NOMINATED);
        assertThat(plan(3, 1, evicted, promised)).isEmpty();
        assertThat(letGo(4, evicted))
                .hasValueSatisfying(what -> assertThat(what).contains("is not bound"));
    }
}
