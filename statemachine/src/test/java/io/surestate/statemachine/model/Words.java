package io.surestate.statemachine.model;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.CommittedGang;
import io.surestate.api.v1.Hold;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.PlanResult;
import io.surestate.log.v1.Outcome;
import io.surestate.log.v1.RequestOutcome;
import io.surestate.statemachine.model.NaiveState.NAllocation;
import io.surestate.statemachine.model.NaiveState.NHold;
import io.surestate.statemachine.model.NaiveState.NJob;
import io.surestate.statemachine.model.NaiveState.NNode;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.JobEntry;
import io.surestate.statemachine.state.NodeEntry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The real core's outcomes and state, and the naive one's state, in the same words. */
final class Words {
    private Words() {}

    static String of(Outcome outcome) {
        return switch (outcome.getResultCase()) {
            case REJECTED -> outcome.getRejected().getCode().name().replace("ERROR_CODE_", "");
            case ACCEPTED -> "accepted";
            case JOB -> "job " + outcome.getJob().getUid() + " " + phase(outcome.getJob());
            case PLAN -> of(outcome.getPlan());
            case NODE -> "node " + outcome.getNode().getName();
            case HOLD -> "hold " + outcome.getHold().getId() + " " + state(outcome.getHold());
            case RELEASED -> "released " + outcome.getReleased().getCount();
            case REPORTED -> "stale " + outcome.getReported().getStaleAllocationsList();
            case META -> "meta " + outcome.getMeta().getFrozenUntilMillis();
            case REQUEST -> "request " + of(outcome.getRequest());
            case RESULT_NOT_SET -> "nothing";
        };
    }

    static String of(RequestOutcome request) {
        if (request.getSealed()) {
            return "SEALED";
        }
        return request.getAcknowledged() ? "ACKNOWLEDGED" : of(request.getOutcome());
    }

    private static String of(PlanResult plan) {
        List<String> committed = plan.getCommittedList().stream()
                .map(gang ->
                        gang.getGang() + " " + kind(gang) + " " + gang.getFirstOrdinal() + "+" + gang.getAllocations())
                .toList();
        List<String> conflicts = plan.getConflictsList().stream()
                .map(conflict -> conflict.getGang() + "/" + conflict.getPlacement() + " "
                        + conflict.getKind().name().replace("CONFLICT_KIND_", ""))
                .toList();
        return "plan " + committed + " " + conflicts + (plan.hasHold() ? " " + state(plan.getHold()) : "");
    }

    private static String kind(CommittedGang gang) {
        return gang.getState() == AllocationState.ALLOCATION_STATE_UNSPECIFIED
                ? "nothing"
                : gang.getState().name();
    }

    private static String phase(Job job) {
        return job.getStatus().getPhase().name().replace("JOB_PHASE_", "");
    }

    private static String state(Hold hold) {
        return hold.getState().name().replace("HOLD_STATE_", "");
    }

    static List<String> of(ClusterState state) {
        List<String> words = new ArrayList<>();
        state.nodes().stream()
                .filter(entry -> !entry.registered())
                .forEach(entry -> words.add("planned " + entry.node().getName()));
        List<NodeEntry> registered =
                state.nodes().stream().filter(NodeEntry::registered).toList();
        for (NodeEntry entry : registered) {
            var status = entry.node().getStatus();
            words.add("node " + entry.node().getName() + " " + status.getState() + " " + status.getEpoch()
                    + " quarantined "
                    + status.getQuarantinedList().stream()
                            .map(quarantine -> quarantine.getOrdinal() + "@" + quarantine.getUntilMillis())
                            .toList()
                    + " conditions "
                    + status.getConditionsList().stream()
                            .map(condition -> condition.getName() + "=" + condition.getSinceMillis())
                            .toList()
                    + cordon(
                            entry.cordoned(),
                            entry.draining(),
                            status.getCordon().getDeadlineMillis()));
            for (int i = 0; i < entry.capacity().cores().size(); i++) {
                int core = entry.capacity().cores().idAt(i);
                words.add(entry.node().getName() + " core " + core + " free "
                        + entry.free().cores().milli(core));
            }
            for (int i = 0; i < entry.capacity().devices().size(); i++) {
                int device = entry.capacity().devices().idAt(i);
                words.add(entry.node().getName() + " device " + device + " free "
                        + entry.free().devices().milli(device));
            }
            words.add(entry.node().getName() + " memory free " + entry.free().memoryBytes());
            TreeSet<String> over = new TreeSet<>();
            status.getOversubscribedList()
                    .forEach(o -> over.add(o.getWhat() + " " + o.getHeld() + "/" + o.getCapacity()));
            words.add(entry.node().getName() + " oversubscribed " + over);
            TreeSet<String> places = new TreeSet<>();
            entry.allocations().forEach(allocation -> places.add(of(allocation)));
            words.addAll(places);
        }
        for (JobEntry entry : state.jobs()) {
            words.add("job " + entry.job().getUid() + " " + phase(entry.job()) + " attempt "
                    + entry.job().getStatus().getAttempt() + " failures "
                    + entry.job().getStatus().getFailures() + "+"
                    + entry.job().getStatus().getIgnoredFailures() + " not before "
                    + entry.job().getStatus().getNotBeforeMillis() + " moves "
                    + entry.job().getStatus().getMoves() + " tasks "
                    + entry.tasks().stream()
                            .map(task -> task.getState() + "@" + task.getAllocationId())
                            .toList());
        }
        state.holds()
                .forEach(hold -> words.add("hold " + hold.getId() + " " + state(hold) + " expires "
                        + hold.getExpiresMillis() + " ended " + hold.getEndedMillis()));
        words.add("finished " + state.meta().getFinishedJobs() + " at "
                + state.meta().getTimeMillis());
        return words;
    }

    private static String of(Allocation allocation) {
        return allocation.getNode() + " " + allocation.getId() + " " + allocation.getState() + " epoch "
                + allocation.getEpoch() + " of " + allocation.getTenant() + " "
                + (allocation.hasTask() ? allocation.getTask().getJobUid() : allocation.getName());
    }

    private static String cordon(boolean cordoned, boolean drains, long deadlineMillis) {
        return cordoned ? drains ? " drained by " + deadlineMillis : " cordoned" : "";
    }

    static List<String> of(NaiveState state) {
        List<String> words = new ArrayList<>();
        state.planned.forEach(name -> words.add("planned " + name));
        for (NNode node : state.nodes.values()) {
            List<String> quarantined = node.quarantine.stream()
                    .map(thing -> thing.substring("device ".length()) + "@" + node.until.getOrDefault(thing, 0L))
                    .sorted()
                    .toList();
            words.add("node " + node.name + " " + node.state + " " + node.epoch + " quarantined " + quarantined
                    + " conditions "
                    + node.conditions.entrySet().stream()
                            .map(condition -> condition.getKey() + "=" + condition.getValue())
                            .toList()
                    + cordon(node.cordoned, node.drains, node.drainDeadline));
            List<String> things = node.capacity.keySet().stream()
                    .filter(thing -> !thing.equals("memory"))
                    .toList();
            things.forEach(thing -> words.add(node.name + " " + thing + " free " + state.free(node.name, thing)));
            words.add(node.name + " memory free " + state.free(node.name, "memory"));
            words.add(node.name + " oversubscribed " + oversubscribed(state, node));
            TreeSet<String> places = new TreeSet<>();
            state.allocations.values().stream()
                    .filter(place -> place.node.equals(node.name))
                    .forEach(place -> places.add(of(place)));
            words.addAll(places);
        }
        for (NJob job : state.jobs.values()) {
            words.add("job " + job.uid + " " + job.phase.name().replace("JOB_PHASE_", "") + " attempt " + job.attempt
                    + " failures " + job.failures + "+" + job.ignored + " not before " + job.notBefore + " moves "
                    + job.moves + " tasks "
                    + job.tasks.stream()
                            .map(task -> task.state + "@" + task.allocation)
                            .toList());
        }
        for (NHold hold : state.holds.values()) {
            words.add("hold " + hold.id + " " + hold.state.name().replace("HOLD_STATE_", "") + " expires "
                    + hold.expires + " ended " + hold.ended);
        }
        words.add("finished " + state.finished + " at " + state.timeMillis);
        return words;
    }

    private static Set<String> oversubscribed(NaiveState state, NNode node) {
        TreeSet<String> things = new TreeSet<>(node.capacity.keySet());
        state.allocations.values().stream()
                .filter(place -> place.node.equals(node.name))
                .forEach(place -> things.addAll(place.claim.keySet()));
        TreeSet<String> over = new TreeSet<>();
        for (String thing : things) {
            long held = state.occupied(node.name, thing);
            if (held > node.has(thing)) {
                over.add(thing + " " + held + "/" + node.has(thing));
            }
        }
        return over;
    }

    private static String of(NAllocation place) {
        return place.node + " " + place.id + " " + place.state + " epoch " + place.epoch + " of " + place.tenant + " "
                + (place.job.isEmpty() ? place.name : place.job);
    }
}
