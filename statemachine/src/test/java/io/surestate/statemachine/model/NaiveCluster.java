package io.surestate.statemachine.model;

import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.ConflictKind;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceHealth;
import io.surestate.api.v1.DeviceReport;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.Hello;
import io.surestate.api.v1.HoldState;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.NodeCondition;
import io.surestate.api.v1.NodeConditionList;
import io.surestate.api.v1.NodeState;
import io.surestate.api.v1.Plan;
import io.surestate.api.v1.PlanMode;
import io.surestate.api.v1.StatusReport;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.HoldPlan;
import io.surestate.log.v1.RequestKey;
import io.surestate.statemachine.model.NaiveState.NAllocation;
import io.surestate.statemachine.model.NaiveState.NHold;
import io.surestate.statemachine.model.NaiveState.NJob;
import io.surestate.statemachine.model.NaiveState.NNode;
import io.surestate.statemachine.model.NaiveState.NOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A whole cluster, one command after another, by the words of its documentation. */
final class NaiveCluster {
    private static final long LEASE_MILLIS = 20_000;
    private static final long MARGIN_MILLIS = 2_000;
    private static final long HOUR_MILLIS = 3_600_000;
    private static final long DAY_MILLIS = 24 * HOUR_MILLIS;
    private static final long WEEK_MILLIS = 7 * 24 * HOUR_MILLIS;

    final NaiveState state = new NaiveState();
    private long index;

    static String id(long index, int ordinal) {
        return String.format("%016x-%06x", index, ordinal);
    }

    /** One entry; what each of its commands came to, in words. */
    List<String> apply(long entryIndex, long timeMillis, List<Envelope> commands) {
        index = entryIndex;
        state.timeMillis = Math.max(state.timeMillis, timeMillis);
        state.nextOrdinal = 0;
        state.index = entryIndex;
        List<String> verdicts = new ArrayList<>();
        for (Envelope command : commands) {
            verdicts.add(apply(command));
        }
        return verdicts;
    }

    private String apply(Envelope command) {
        if (!command.hasRequest()) {
            return decideAndSettle(command);
        }
        String key = key(command.getRequest());
        NOutcome known = state.outcomes.get(key);
        if (known != null && known.verdict().equals("SEALED")) {
            return "REQUEST_SEALED";
        }
        if (known != null && known.verdict().equals("ACKNOWLEDGED")) {
            return "REQUEST_ACKNOWLEDGED";
        }
        if (known != null && known.fingerprint().equals(command.getFingerprint())) {
            return known.verdict();
        }
        if (known != null && known.expires() > state.timeMillis) {
            return "REQUEST_ID_REUSED";
        }
        if (command.getExpiresMillis() <= state.timeMillis) {
            return "REQUEST_EXPIRED";
        }
        String verdict = decideAndSettle(command);
        state.outcomes.put(key, new NOutcome(command.getFingerprint(), command.getExpiresMillis(), verdict));
        return verdict;
    }

    static String key(RequestKey key) {
        return key.getTenant() + "/" + key.getPrincipal() + "/" + key.getRequestId();
    }

    private String decideAndSettle(Envelope command) {
        String verdict = decide(command);
        state.nodes.values().forEach(this::settleQuarantine);
        for (String job : List.copyOf(state.jobs.keySet())) {
            for (NAllocation spare : state.spares(job)) {
                NNode on = state.nodes.get(spare.node);
                if (on.state == NodeState.NODE_STATE_LOST || on.drains) {
                    state.allocations.remove(spare.id);
                }
            }
        }
        for (NHold hold : List.copyOf(state.holds.values())) {
            boolean powerless = state.allocations.values().stream()
                    .anyMatch(place -> place.state == AllocationState.ALLOCATION_STATE_HELD
                            && place.hold.equals(hold.id)
                            && state.nodes.get(place.node).fencedMillis != 0);
            if (powerless) {
                end(hold, HoldState.HOLD_STATE_RELEASED);
            }
        }
        new NaivePlans(state, index).settleNominations();
        return verdict;
    }

    private void settleQuarantine(NNode node) {
        for (String thing : node.unhealthy) {
            fallsIll(node, thing);
        }
        for (String thing : List.copyOf(node.quarantine)) {
            long holdDown = holdDown(node.falls.getOrDefault(thing, 0));
            if (node.unhealthy.contains(thing)) {
                continue;
            }
            if (holdDown > 0 && !node.until.containsKey(thing)) {
                node.until.put(thing, state.timeMillis + holdDown);
            } else if (state.occupied(node.name, thing) == 0 && (holdDown == 0 || node.served.contains(thing))) {
                node.quarantine.remove(thing);
                node.usableSince.put(thing, state.timeMillis);
                node.until.remove(thing);
                node.served.remove(thing);
            }
        }
    }

    private void fallsIll(NNode node, String thing) {
        node.until.remove(thing);
        node.served.remove(thing);
        if (node.quarantine.add(thing)) {
            boolean longAgo = state.timeMillis - node.usableSince.getOrDefault(thing, state.timeMillis) >= DAY_MILLIS;
            node.falls.merge(thing, 1, (before, one) -> longAgo ? 1 : before + 1);
            node.usableSince.remove(thing);
        }
    }

    private static long holdDown(int falls) {
        return falls < 2 ? 0 : Math.min(DAY_MILLIS, HOUR_MILLIS << (falls - 2));
    }

    private String decide(Envelope command) {
        String tenant = command.getTenant();
        return switch (command.getCommandCase()) {
            case SUBMIT_JOB -> submit(command);
            case CANCEL_JOB -> cancel(command);
            case RESIZE_JOB ->
                new NaiveJobs(state)
                        .resize(
                                command.getResizeJob().getTenant(),
                                command.getResizeJob().getJob(),
                                command.getResizeJob().getCount());
            case COMMIT_PLAN -> commit(command.getCommitPlan().getPlan(), tenant);
            case HOLD_PLAN -> hold(command.getHoldPlan(), tenant);
            case CONFIRM_HOLD -> confirm(command.getConfirmHold().getHold(), tenant);
            case RELEASE_HOLD -> release(command.getReleaseHold().getHold());
            case RELEASE_ALLOCATIONS ->
                releaseName(tenant, command.getReleaseAllocations().getName());
            case REGISTER_NODE -> register(command.getRegisterNode().getHello());
            case REPORT_TASKS ->
                report(
                        command.getReportTasks().getNode(),
                        command.getReportTasks().getReport());
            case SUSPECT_NODE ->
                suspect(
                        command.getSuspectNode().getNode(),
                        command.getSuspectNode().getEpoch());
            case CLEAR_NODE ->
                clear(command.getClearNode().getNode(), command.getClearNode().getEpoch());
            case LOSE_NODE ->
                lose(command.getLoseNode().getNode(), command.getLoseNode().getEpoch());
            case FENCE_NODE -> fence(command.getFenceNode().getNode());
            case CORDON_NODE -> cordon(command);
            case UNCORDON_NODE -> uncordon(command);
            case PLAN_NODE -> new NaivePlanned(state).plan(command.getPlanNode().getNode());
            case REMOVE_NODE ->
                new NaivePlanned(state).remove(command.getRemoveNode().getNode());
            case FREEZE_CLUSTER -> freeze(command.getFreezeCluster().getForMillis());
            case UNFREEZE_CLUSTER -> freeze(0);
            case SEAL_REQUEST -> seal(command, command.getSealRequest().getRequestId());
            case ACKNOWLEDGE_REQUESTS -> acknowledge(command);
            case TICK -> tick();
            default -> throw new IllegalArgumentException("no model of " + command.getCommandCase());
        };
    }

    private String submit(Envelope command) {
        var job = command.getSubmitJob().getJob();
        if (new NaiveJobs(state).named(job.getTenant(), job.getName()).isPresent()) {
            return "ALREADY_EXISTS";
        }
        String uid = id(index, state.nextOrdinal++);
        new NaiveJobs(state).submit(uid, job.getTenant(), job.getName(), job.getSpec());
        return "job " + uid + " PENDING";
    }

    private String cancel(Envelope command) {
        var cancel = command.getCancelJob();
        Optional<NJob> found = Optional.ofNullable(state.jobs.get(cancel.getJob()))
                .or(() -> new NaiveJobs(state).named(cancel.getTenant(), cancel.getJob()));
        if (found.isEmpty()) {
            return cancel.getJob().matches("[0-9a-f]{16}-[0-9a-f]{6}") ? "ILLEGAL_STATE" : "NOT_FOUND";
        }
        NJob job = found.get();
        if (job.phase != JobPhase.JOB_PHASE_CANCELLING || cancel.getForce()) {
            new NaiveJobs(state).cancel(job, cancel.getForce());
        }
        boolean live = state.jobs.containsKey(job.uid);
        return "job " + job.uid + (live ? " CANCELLING" : " CANCELLED");
    }

    private String commit(Plan plan, String tenant) {
        return new NaivePlans(state, index)
                .commit(plan, plan.getMode() == PlanMode.PLAN_MODE_PER_GROUP, tenant, "")
                .toString();
    }

    private String hold(HoldPlan command, String tenant) {
        boolean plain = command.getPlan().getGangsList().stream()
                .allMatch(gang -> !gang.getNominate() && gang.getMove().isEmpty() && gang.getEvictionsCount() == 0);
        List<String> jobs = command.getPlan().getGangsList().stream()
                .map(GangPlacement::getJobUid)
                .filter(uid -> !uid.isEmpty())
                .toList();
        boolean shaped = command.getTtlMillis() >= 1_000
                && command.getTtlMillis() <= WEEK_MILLIS
                && plain
                && command.getPlan().getGangsCount() > 0
                && jobs.stream().distinct().count() == jobs.size();
        if (!shaped) {
            return "INVALID_ARGUMENT";
        }
        int ordinal = state.nextOrdinal;
        String id = id(index, state.nextOrdinal++);
        NaivePlans.Result result = new NaivePlans(state, index).commit(command.getPlan(), false, tenant, id);
        if (!result.conflicts().isEmpty()) {
            state.nextOrdinal = ordinal;
            return result.toString();
        }
        NHold hold = new NHold();
        hold.id = id;
        hold.tenant = tenant;
        hold.scheduler = command.getPlan().getScheduler();
        hold.expires = state.timeMillis + command.getTtlMillis();
        hold.gangs = command.getPlan().getGangsList();
        state.holds.put(id, hold);
        return result + " STANDING";
    }

    private String confirm(String id, String tenant) {
        NHold hold = state.holds.get(id);
        if (hold == null) {
            return "NOT_FOUND";
        }
        if (hold.state != HoldState.HOLD_STATE_STANDING) {
            return "HOLD_OVER";
        }
        if (hold.expires <= state.timeMillis) {
            end(hold, HoldState.HOLD_STATE_EXPIRED);
            return "HOLD_OVER";
        }
        List<String> conflicts = new ArrayList<>();
        for (int i = 0; i < hold.gangs.size(); i++) {
            conflicts.addAll(confirmProblems(hold, i, tenant));
        }
        if (conflicts.isEmpty()) {
            for (GangPlacement gang : hold.gangs) {
                List<NAllocation> places = held(hold, gang);
                if (gang.getJobUid().isEmpty()) {
                    places.forEach(place -> place.state = AllocationState.ALLOCATION_STATE_BOUND);
                } else {
                    new NaiveJobs(state).bind(state.jobs.get(gang.getJobUid()), places);
                }
            }
            end(hold, HoldState.HOLD_STATE_CONFIRMED);
        }
        return "plan [] " + conflicts + " " + hold.state.name().replace("HOLD_STATE_", "");
    }

    private List<String> confirmProblems(NHold hold, int gangIndex, String tenant) {
        List<String> conflicts = new ArrayList<>();
        GangPlacement gang = hold.gangs.get(gangIndex);
        if (!gang.getJobUid().isEmpty()) {
            NJob job = state.jobs.get(gang.getJobUid());
            Optional<ConflictKind> problem = job == null
                    ? Optional.of(ConflictKind.CONFLICT_KIND_NOT_FOUND)
                    : NaivePlans.jobProblem(state, job, gang, hold.scheduler, tenant);
            problem.ifPresent(
                    kind -> conflicts.add(gangIndex + "/-1 " + kind.name().replace("CONFLICT_KIND_", "")));
        }
        List<NAllocation> places = held(hold, gang);
        boolean waits = conflicts.isEmpty();
        for (int i = 0; i < places.size(); i++) {
            NNode node = state.nodes.get(places.get(i).node);
            if (waits && !gang.getJobUid().isEmpty() && !NaivePlans.open(state, places.get(i))) {
                conflicts.add(gangIndex + "/" + i + " JOB");
            } else if (!node.takesWork()) {
                boolean cordoned = node.state == NodeState.NODE_STATE_READY;
                conflicts.add(gangIndex + "/" + i + (cordoned ? " CORDONED" : " NODE"));
            } else if (places.get(i).claim.keySet().stream().anyMatch(node::quarantined)) {
                conflicts.add(gangIndex + "/" + i + " QUARANTINED");
            } else if (!node.capacity.keySet().containsAll(places.get(i).claim.keySet())) {
                conflicts.add(gangIndex + "/" + i + " CLAIM");
            } else if (places.get(i).claim.keySet().stream()
                    .anyMatch(thing -> state.occupied(node.name, thing) > node.has(thing))) {
                conflicts.add(gangIndex + "/" + i + " TAKEN");
            }
        }
        return conflicts;
    }

    /** By node, then by id. */
    private List<NAllocation> held(NHold hold, GangPlacement gang) {
        return state.allocations.values().stream()
                .filter(place -> place.state == AllocationState.ALLOCATION_STATE_HELD && place.hold.equals(hold.id))
                .filter(place -> gang.getJobUid().isEmpty()
                        ? place.name.equals(gang.getName())
                        : place.job.equals(gang.getJobUid()))
                .sorted((a, b) -> (a.node + a.id).compareTo(b.node + b.id))
                .toList();
    }

    private void end(NHold hold, HoldState how) {
        state.allocations
                .values()
                .removeIf(place -> place.state == AllocationState.ALLOCATION_STATE_HELD && place.hold.equals(hold.id));
        hold.state = how;
        hold.ended = how == HoldState.HOLD_STATE_EXPIRED ? hold.expires : state.timeMillis;
    }

    private String release(String id) {
        NHold hold = state.holds.get(id);
        if (hold == null) {
            return "NOT_FOUND";
        }
        if (hold.state == HoldState.HOLD_STATE_STANDING) {
            end(hold, HoldState.HOLD_STATE_RELEASED);
        }
        return "hold " + id + " " + hold.state.name().replace("HOLD_STATE_", "");
    }

    private String releaseName(String tenant, String name) {
        List<NAllocation> meant = state.allocations.values().stream()
                .filter(place -> place.job.isEmpty() && place.tenant.equals(tenant) && place.name.equals(name))
                .toList();
        if (meant.stream().anyMatch(place -> place.state == AllocationState.ALLOCATION_STATE_HELD)) {
            return "ILLEGAL_STATE";
        }
        meant.forEach(place -> state.allocations.remove(place.id));
        return "released " + meant.size();
    }

    private String register(Hello hello) {
        NNode present = state.nodes.get(hello.getNodeName());
        boolean otherBoot = present != null && !present.boot.equals(hello.getBootId());
        if (otherBoot
                && present.state != NodeState.NODE_STATE_LOST
                && !running(hello.getNodeName()).isEmpty()) {
            return "NODE_CONFLICT";
        }
        state.planned.remove(hello.getNodeName());
        NNode node = state.nodes.computeIfAbsent(hello.getNodeName(), name -> new NNode());
        if (!node.boot.isEmpty() && !node.boot.equals(hello.getBootId())) {
            new NaiveJobs(state).lose(running(hello.getNodeName()));
        }
        node.name = hello.getNodeName();
        node.boot = hello.getBootId();
        node.state = NodeState.NODE_STATE_READY;
        node.epoch = index;
        node.sequence = 0;
        node.suspectedMillis = 0;
        node.fencedMillis = 0;
        Map<String, Long> capacity = new TreeMap<>();
        hello.getSpec()
                .getNumaList()
                .forEach(numa -> numa.getCoreIdsList().forEach(core -> capacity.put("core " + core, 1_000L)));
        capacity.put("memory", hello.getSpec().getMemoryBytes());
        node.unhealthy.clear();
        for (Device device : hello.getSpec().getDevicesList()) {
            capacity.put("device " + device.getOrdinal(), 1_000L);
            if (device.getHealth() == DeviceHealth.DEVICE_HEALTH_UNHEALTHY) {
                node.unhealthy.add("device " + device.getOrdinal());
            }
        }
        node.capacity = capacity;
        for (DeviceReport device : hello.getDevicesList()) {
            health(node, device);
        }
        conditions(node, hello.getConditions());
        return "node " + node.name;
    }

    private List<NAllocation> running(String node) {
        return state.allocations.values().stream()
                .filter(place -> place.node.equals(node) && place.mayRun())
                .toList();
    }

    private Optional<String> wrongEpoch(String name, long epoch) {
        NNode node = state.nodes.get(name);
        if (node == null) {
            return Optional.of("NOT_FOUND");
        }
        return node.epoch == epoch ? Optional.empty() : Optional.of("STALE_EPOCH");
    }

    private String report(String name, StatusReport report) {
        Optional<String> wrong = wrongEpoch(name, report.getNodeEpoch());
        NNode node = state.nodes.get(name);
        if (wrong.isPresent() || node.sequence >= report.getSequence()) {
            return wrong.orElse("accepted");
        }
        node.sequence = report.getSequence();
        for (DeviceReport device : report.getDevicesList()) {
            health(node, device);
        }
        if (report.hasConditions()) {
            conditions(node, report.getConditions());
        }
        List<String> stale = new NaiveJobs(state).report(name, report.getTasksList());
        return stale.isEmpty() ? "accepted" : "stale " + stale;
    }

    private void health(NNode node, DeviceReport device) {
        String thing = "device " + device.getOrdinal();
        if (!node.capacity.containsKey(thing)) {
            return;
        }
        if (device.getHealth() == DeviceHealth.DEVICE_HEALTH_UNHEALTHY) {
            node.unhealthy.add(thing);
            fallsIll(node, thing);
        } else {
            node.unhealthy.remove(thing);
        }
    }

    private void conditions(NNode node, NodeConditionList told) {
        TreeMap<String, Long> now = new TreeMap<>();
        for (NodeCondition condition : told.getConditionsList()) {
            Long since = node.conditions.get(condition.getName());
            now.put(condition.getName(), since == null ? state.timeMillis : since);
        }
        node.conditions = now;
    }

    private String suspect(String name, long epoch) {
        Optional<String> wrong = wrongEpoch(name, epoch);
        if (wrong.isPresent()) {
            return wrong.get();
        }
        NNode node = state.nodes.get(name);
        if (node.state == NodeState.NODE_STATE_LOST) {
            return "ILLEGAL_STATE";
        }
        if (node.state == NodeState.NODE_STATE_READY) {
            node.state = NodeState.NODE_STATE_SUSPECTED;
            node.suspectedMillis = state.timeMillis;
        }
        return "accepted";
    }

    private String clear(String name, long epoch) {
        Optional<String> wrong = wrongEpoch(name, epoch);
        if (wrong.isPresent()) {
            return wrong.get();
        }
        NNode node = state.nodes.get(name);
        if (node.state == NodeState.NODE_STATE_LOST) {
            return "ILLEGAL_STATE";
        }
        node.state = NodeState.NODE_STATE_READY;
        return "accepted";
    }

    private String lose(String name, long epoch) {
        Optional<String> wrong = wrongEpoch(name, epoch);
        if (wrong.isPresent()) {
            return wrong.get();
        }
        NNode node = state.nodes.get(name);
        if (node.state == NodeState.NODE_STATE_LOST) {
            return "accepted";
        }
        long due = Math.max(node.suspectedMillis, state.leasesReach) + LEASE_MILLIS + MARGIN_MILLIS;
        if (node.state != NodeState.NODE_STATE_SUSPECTED || state.timeMillis < due) {
            return "ILLEGAL_STATE";
        }
        node.state = NodeState.NODE_STATE_LOST;
        new NaiveJobs(state)
                .lose(running(name).stream().filter(place -> place.stops).toList());
        return "accepted";
    }

    private String fence(String name) {
        if (state.planned.contains(name)) {
            return "ILLEGAL_STATE";
        }
        NNode node = state.nodes.get(name);
        if (node == null) {
            return "NOT_FOUND";
        }
        if (node.state == NodeState.NODE_STATE_READY) {
            return "ILLEGAL_STATE";
        }
        boolean empty = state.allocations.values().stream().noneMatch(place -> place.node.equals(name));
        if (node.fencedMillis == 0 || !empty) {
            node.state = NodeState.NODE_STATE_LOST;
            node.epoch = index;
            node.sequence = 0;
            node.fencedMillis = state.timeMillis;
            new NaiveJobs(state).lose(running(name));
            state.allocations
                    .values()
                    .removeIf(place -> place.node.equals(name)
                            && place.job.isEmpty()
                            && (place.state == AllocationState.ALLOCATION_STATE_BOUND
                                    || place.state == AllocationState.ALLOCATION_STATE_RELEASING));
        }
        return "node " + name;
    }

    private String cordon(Envelope command) {
        var asked = command.getCordonNode();
        NNode node = state.nodes.get(asked.getNode());
        if (asked.getDeadlineAfterMillis() != 0 && !asked.getDrain()) {
            return "INVALID_ARGUMENT";
        }
        if (node == null) {
            return state.planned.contains(asked.getNode()) ? "ILLEGAL_STATE" : "NOT_FOUND";
        }
        if (asked.getExpectedEpoch() != 0 && asked.getExpectedEpoch() != node.epoch) {
            return "STALE_EPOCH";
        }
        if (asked.getDrain() || !node.drains) {
            node.cordoned = true;
            node.drains = asked.getDrain();
            node.drainDeadline =
                    asked.getDeadlineAfterMillis() == 0 ? 0 : state.timeMillis + asked.getDeadlineAfterMillis();
        }
        return "node " + node.name;
    }

    private String uncordon(Envelope command) {
        var asked = command.getUncordonNode();
        NNode node = state.nodes.get(asked.getNode());
        if (node == null) {
            return state.planned.contains(asked.getNode()) ? "ILLEGAL_STATE" : "NOT_FOUND";
        }
        if (node.cordoned && node.drains != asked.getDrain()) {
            return "ILLEGAL_STATE";
        }
        node.cordoned = false;
        node.drains = false;
        node.drainDeadline = 0;
        return "node " + node.name;
    }

    /** What has stayed on a drained node until its deadline. */
    private void endDrains() {
        List<String> due = state.nodes.values().stream()
                .filter(node -> node.drains && node.drainDeadline != 0 && node.drainDeadline <= state.timeMillis)
                .map(node -> node.name)
                .toList();
        for (String node : due) {
            bound(node).stream()
                    .filter(place -> place.job.isEmpty())
                    .forEach(place -> place.state = AllocationState.ALLOCATION_STATE_RELEASING);
            List<String> gangs = bound(node).stream()
                    .map(place -> place.job)
                    .distinct()
                    .sorted()
                    .toList();
            for (String uid : gangs) {
                List<NAllocation> places = bound(node).stream()
                        .filter(place -> place.job.equals(uid))
                        .toList();
                boolean runs = state.jobs.get(uid).phase == JobPhase.JOB_PHASE_RUNNING;
                if (runs && !new NaiveJobs(state).leaveOrSwap(uid, places)) {
                    new NaiveJobs(state).stopToMove(state.jobs.get(uid));
                }
            }
        }
    }

    private List<NAllocation> bound(String node) {
        return state.allocations.values().stream()
                .filter(place -> place.node.equals(node) && place.state == AllocationState.ALLOCATION_STATE_BOUND)
                .toList();
    }

    private String freeze(long forMillis) {
        if (forMillis > 0) {
            state.leasesReach = Math.max(state.leasesReach, state.timeMillis + forMillis + forMillis / 50);
        }
        state.frozenUntil = forMillis == 0 ? 0 : state.timeMillis + forMillis;
        return "meta " + state.frozenUntil;
    }

    private String seal(Envelope command, String requestId) {
        String key = command.getTenant() + "/" + command.getPrincipal() + "/" + requestId;
        NOutcome sealed = new NOutcome(com.google.protobuf.ByteString.EMPTY, state.timeMillis + WEEK_MILLIS, "SEALED");
        state.outcomes.putIfAbsent(key, sealed);
        return "request " + state.outcomes.get(key).verdict();
    }

    private String acknowledge(Envelope command) {
        for (String id : command.getAcknowledgeRequests().getRequestIdsList()) {
            String key = command.getTenant() + "/" + command.getPrincipal() + "/" + id;
            state.outcomes.computeIfPresent(
                    key,
                    (same, known) -> known.verdict().equals("SEALED")
                            ? known
                            : new NOutcome(known.fingerprint(), known.expires(), "ACKNOWLEDGED"));
        }
        return "accepted";
    }

    private String tick() {
        for (NHold hold : List.copyOf(state.holds.values())) {
            if (hold.state != HoldState.HOLD_STATE_STANDING && hold.ended + HOUR_MILLIS <= state.timeMillis) {
                state.holds.remove(hold.id);
            } else if (hold.state == HoldState.HOLD_STATE_STANDING && hold.expires <= state.timeMillis) {
                end(hold, HoldState.HOLD_STATE_EXPIRED);
            }
        }
        endDrains();
        for (NNode node : state.nodes.values()) {
            node.until.forEach((thing, until) -> {
                if (until <= state.timeMillis) {
                    node.served.add(thing);
                }
            });
        }
        state.outcomes.values().removeIf(outcome -> outcome.expires() <= state.timeMillis);
        return "accepted";
    }
}
