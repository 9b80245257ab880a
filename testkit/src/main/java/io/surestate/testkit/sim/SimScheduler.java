package io.surestate.testkit.sim;

import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.Hold;
import io.surestate.api.v1.HoldState;
import io.surestate.api.v1.Plan;
import io.surestate.api.v1.PlanConflict;
import io.surestate.api.v1.PlanMode;
import io.surestate.api.v1.PlanResult;
import io.surestate.log.v1.CommitPlan;
import io.surestate.log.v1.ConfirmHold;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.HoldPlan;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.ReleaseAllocations;
import io.surestate.log.v1.ReleaseHold;
import io.surestate.statemachine.state.ClusterState;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A scheduler outside of the cluster that races with another of the same name: looks at what some server has, plans, commits or holds, and
 * tries a refused plan again, away from what conflicted, a few times. Lets go of the gangs without a job that either made. One thread.
 */
final class SimScheduler {
    /** The name that jobs give to be placed by these. */
    static final String NAME = "other";

    private static final int PAUSE_MILLIS = 1_500;
    private static final int RETRIES_MAX = 4;
    private static final int RETRY_MILLIS_MAX = 300;
    private static final int IN_FLIGHT_MAX = 4;
    private static final int HELD_ONE_IN = 4;
    private static final int HOLD_MILLIS_MAX = 12_000;
    private static final int LETS_GO_ONE_IN = 6;

    private final SimWorld world;
    private final SimClient client;
    private final SimPlans plans;
    private final Faults faults;
    private final Set<String> inFlight = new HashSet<>();

    /** What the last refusal told. */
    private record Refusal(long revision, Set<String> nodes, int retries) {
        static final Refusal NONE = new Refusal(0, Set.of(), 0);
    }

    SimScheduler(SimWorld world, SimClient client, Faults faults) {
        this.world = world;
        this.client = client;
        this.faults = faults;
        this.plans = new SimPlans(world.random());
    }

    void begin() {
        world.events().after(1 + world.random().nextInt(PAUSE_MILLIS), "", () -> {
            if (inFlight.size() < IN_FLIGHT_MAX) {
                client.look(state -> act(state, Refusal.NONE));
            }
            begin();
        });
    }

    private void act(ClusterState state, Refusal refusal) {
        if (!state.initialised() || inFlight.size() >= IN_FLIGHT_MAX) {
            return;
        }
        if (state.revision() < refusal.revision) {
            retry(refusal);
            return;
        }
        state.nodes().stream()
                .flatMap(node -> node.allocations().stream())
                .filter(allocation -> !allocation.hasTask())
                .filter(allocation -> allocation.getState() != AllocationState.ALLOCATION_STATE_HELD)
                .filter(allocation -> faults.over() || world.random().nextInt(LETS_GO_ONE_IN) == 0)
                .map(allocation -> allocation.getName())
                .distinct()
                .forEach(this::letGo);
        state.holds().stream()
                .filter(hold -> hold.getState() == HoldState.HOLD_STATE_STANDING)
                .forEach(this::decide);
        List<GangPlacement> gangs = plans.gangs(state, refusal.nodes, !faults.over());
        if (!gangs.isEmpty()) {
            propose(state, gangs, refusal);
        }
    }

    private void retry(Refusal refusal) {
        world.events()
                .after(
                        1 + world.random().nextInt(RETRY_MILLIS_MAX),
                        "",
                        () -> client.look(state -> act(state, refusal)));
    }

    private void ask(String what, Envelope.Builder command, java.util.function.Consumer<Outcome> then) {
        if (inFlight.add(what)) {
            client.ask(command, outcome -> {
                inFlight.remove(what);
                then.accept(outcome);
            });
        }
    }

    private void letGo(String name) {
        ask(
                "release " + name,
                Envelope.newBuilder()
                        .setReleaseAllocations(ReleaseAllocations.newBuilder().setName(name)),
                done -> world.events().count(done.hasReleased() ? "let-go" : "let-go-refused"));
    }

    /** Every other hold is left to its time. */
    private void decide(Hold hold) {
        if (hold.getId().hashCode() % 2 == 0) {
            return;
        }
        int chance = world.random().nextInt(10);
        if (chance < 2) {
            ask(
                    "confirm " + hold.getId(),
                    Envelope.newBuilder()
                            .setConfirmHold(ConfirmHold.newBuilder().setHold(hold.getId())),
                    done -> world.events()
                            .count(
                                    done.hasPlan() && done.getPlan().getConflictsCount() == 0
                                            ? "hold-confirmed"
                                            : "hold-not-confirmed"));
        } else if (chance < 3) {
            ask(
                    "drop " + hold.getId(),
                    Envelope.newBuilder()
                            .setReleaseHold(ReleaseHold.newBuilder().setHold(hold.getId())),
                    done -> world.events().count("hold-released"));
        }
    }

    private void propose(ClusterState state, List<GangPlacement> gangs, Refusal refusal) {
        Plan.Builder plan = Plan.newBuilder()
                .setScheduler(NAME)
                .setSeenRevision(state.revision())
                .setMode(
                        world.random().nextBoolean() ? PlanMode.PLAN_MODE_PER_GROUP : PlanMode.PLAN_MODE_ALL_OR_NOTHING)
                .addAllGangs(gangs);
        boolean plain = gangs.stream().allMatch(gang -> !gang.getNominate() && gang.getEvictionsCount() == 0);
        boolean holds = plain && !faults.over() && world.random().nextInt(HELD_ONE_IN) == 0;
        Envelope.Builder command = Envelope.newBuilder();
        if (holds) {
            command.setHoldPlan(HoldPlan.newBuilder()
                    .setPlan(plan)
                    .setTtlMillis(1_000 + world.random().nextInt(HOLD_MILLIS_MAX)));
        } else {
            command.setCommitPlan(CommitPlan.newBuilder().setPlan(plan));
        }
        world.events().count(holds ? "plan-held" : "plan");
        ask("plan", command, outcome -> planned(outcome, refusal));
    }

    private void planned(Outcome outcome, Refusal refusal) {
        PlanResult result = outcome.getPlan();
        result.getCommittedList()
                .forEach(gang ->
                        world.events().count("gang-" + gang.getState().name().replace("ALLOCATION_STATE_", "")));
        if (result.getConflictsCount() == 0) {
            return;
        }
        result.getConflictsList()
                .forEach(conflict -> world.events()
                        .count("conflict-" + conflict.getKind().name().replace("CONFLICT_KIND_", "")));
        if (refusal.retries < RETRIES_MAX) {
            TreeSet<String> avoided = new TreeSet<>(refusal.nodes);
            result.getConflictsList().stream()
                    .map(PlanConflict::getNode)
                    .filter(node -> !node.isEmpty())
                    .forEach(avoided::add);
            retry(new Refusal(result.getRevision(), avoided, refusal.retries + 1));
        }
    }
}
