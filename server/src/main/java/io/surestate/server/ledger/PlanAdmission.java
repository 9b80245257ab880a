package io.surestate.server.ledger;

import io.surestate.api.Limits;
import io.surestate.api.Names;
import io.surestate.api.v1.AllocationRef;
import io.surestate.api.v1.Claim;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.Countable;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Eviction;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.LinkShare;
import io.surestate.api.v1.NicShare;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.Plan;
import io.surestate.api.v1.PlanMode;
import io.surestate.api.v1.StorageShare;
import io.surestate.server.api.Problems;
import io.surestate.server.api.Refused;
import io.surestate.statemachine.state.Amounts;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Checks a plan and puts it into its one form, before anything is proposed: shares in order, defaults filled in. Pure. Refuses with the
 * place in the plan, the value and what is expected. Whether anything is free is for the ledger to say.
 */
final class PlanAdmission {
    private PlanAdmission() {}

    static Plan admit(Plan asked) {
        String scheduler = asked.getScheduler().isEmpty() ? Names.SCHEDULER_DEFAULT : asked.getScheduler();
        Problems.require(Names.subdomainProblem("plan.scheduler", scheduler));
        Problems.range("plan.seenRevision", asked.getSeenRevision(), 0, Long.MAX_VALUE);
        if (asked.getMode() == PlanMode.UNRECOGNIZED) {
            throw Problems.invalid("plan.mode: unknown (expected: ALL_OR_NOTHING or PER_GROUP)");
        }
        Problems.range("plan.gangs", asked.getGangsCount(), 1, Limits.PLACEMENTS_PER_PLAN_MAX);
        count("plan placements", asked, GangPlacement::getPlacementsCount);
        count("plan evictions", asked, GangPlacement::getEvictionsCount);
        Plan.Builder plan = asked.toBuilder().setScheduler(scheduler).clearGangs();
        for (int i = 0; i < asked.getGangsCount(); i++) {
            plan.addGangs(gang("plan.gangs[" + i + "]", asked.getGangs(i)));
        }
        return plan.build();
    }

    private static void count(String what, Plan plan, Function<GangPlacement, Integer> each) {
        long all = plan.getGangsList().stream().mapToLong(each::apply).sum();
        if (all > Limits.PLACEMENTS_PER_PLAN_MAX) {
            throw Refused.of(
                    ErrorCode.ERROR_CODE_TOO_LARGE,
                    what + ": " + all + " (expected: at most " + Limits.PLACEMENTS_PER_PLAN_MAX + ")");
        }
    }

    private static GangPlacement gang(String at, GangPlacement asked) {
        if (asked.getPlacementsCount() + asked.getEvictionsCount() == 0) {
            throw Problems.invalid(at + ": empty (expected: placements or evictions)");
        }
        boolean named = !asked.getName().isEmpty();
        if (named == !asked.getJobUid().isEmpty() && (named || asked.getPlacementsCount() > 0)) {
            throw Problems.invalid(at + ": " + (named ? "jobUid and name" : "neither jobUid nor name")
                    + " (expected: jobUid for the tasks of a job, or name for a gang of its own)");
        }
        if (named) {
            Problems.require(Names.subdomainProblem(at + ".name", asked.getName()));
        }
        Problems.length(at + ".move", asked.getMove(), Limits.REASON_CHARS_MAX / 2);
        if (!asked.getMove().isEmpty() && (named || asked.getNominate() || asked.getEvictionsCount() == 0)) {
            throw Problems.invalid(at + ".move: " + asked.getMove()
                    + " (expected: with jobUid and evictions, and without nominate, which it implies)");
        }
        for (int i = 0; i < asked.getEvictionsCount(); i++) {
            eviction(at + ".evictions[" + i + "]", asked.getEvictions(i));
        }
        GangPlacement.Builder gang = asked.toBuilder().clearPlacements();
        for (int i = 0; i < asked.getPlacementsCount(); i++) {
            gang.addPlacements(placement(at + ".placements[" + i + "]", asked.getPlacements(i), named));
        }
        return gang.build();
    }

    private static void eviction(String at, Eviction asked) {
        ref(at + ".allocation", asked.getAllocation());
        Problems.length(at + ".reason", asked.getReason(), Limits.REASON_CHARS_MAX / 2);
    }

    static void ref(String at, AllocationRef asked) {
        Problems.require(Names.subdomainProblem(at + ".node", asked.getNode()));
        Problems.length(at + ".id", asked.getId(), Limits.REQUEST_ID_CHARS_MAX);
        Problems.range(at + ".epoch", asked.getEpoch(), 1, Long.MAX_VALUE);
    }

    private static Placement placement(String at, Placement asked, boolean named) {
        Problems.require(Names.subdomainProblem(at + ".node", asked.getNode()));
        Problems.range(at + ".nodeEpoch", asked.getNodeEpoch(), 1, Long.MAX_VALUE);
        if (named && (!asked.getGroup().isEmpty() || asked.getIndex() != 0)) {
            throw Problems.invalid(at + ".group: set (expected: empty, with index 0, in a gang that has a name)");
        }
        Placement.Builder placement = asked.toBuilder().setClaim(claim(at + ".claim", asked.getClaim()));
        if (asked.hasTelemetry()) {
            // Of the node as a whole is all that the log keeps.
            placement.getTelemetryBuilder().clearDevices();
        }
        return placement.build();
    }

    private static Claim claim(String at, Claim asked) {
        for (CoreShare core : asked.getCoresList()) {
            Problems.range(at + ".cores.coreId", core.getCoreId(), 0, Integer.MAX_VALUE);
            Problems.range(at + ".cores.milli", core.getMilli(), 1, Amounts.WHOLE_MILLI);
        }
        for (DeviceShare device : asked.getDevicesList()) {
            Problems.range(at + ".devices.ordinal", device.getOrdinal(), 0, Integer.MAX_VALUE);
            Problems.range(at + ".devices.milli", device.getMilli(), 1, Amounts.WHOLE_MILLI);
        }
        Problems.range(at + ".memoryBytes", asked.getMemoryBytes(), 0, Limits.MEMORY_BYTES_MAX);
        for (NicShare nic : asked.getNicsList()) {
            Problems.range(at + ".nics.bitsPerSecond", nic.getBitsPerSecond(), 1, Limits.NAMED_AMOUNT_MAX);
        }
        for (LinkShare link : asked.getLinksList()) {
            Problems.range(at + ".links.bitsPerSecond", link.getBitsPerSecond(), 1, Limits.NAMED_AMOUNT_MAX);
            Problems.range(at + ".links.toOrdinal", link.getToOrdinal(), 0, Integer.MAX_VALUE);
            Problems.range(at + ".links.fromOrdinal", link.getFromOrdinal(), 0, Integer.MAX_VALUE);
            if (link.getFromOrdinal() >= link.getToOrdinal()) {
                throw Problems.invalid(at + ".links.fromOrdinal: " + link.getFromOrdinal()
                        + " (expected: smaller than toOrdinal " + link.getToOrdinal() + ")");
            }
        }
        for (StorageShare storage : asked.getStorageList()) {
            Problems.range(at + ".storage.bytes", storage.getBytes(), 1, Limits.NAMED_AMOUNT_MAX);
        }
        for (Countable countable : asked.getCountablesList()) {
            Problems.range(
                    at + ".countables." + countable.getName(), countable.getAmount(), 1, Limits.NAMED_AMOUNT_MAX);
        }
        once(at + ".cores", asked.getCoresList(), CoreShare::getCoreId);
        once(at + ".devices", asked.getDevicesList(), DeviceShare::getOrdinal);
        once(at + ".nics", asked.getNicsList(), NicShare::getNic);
        once(at + ".links", asked.getLinksList(), link -> link.getFromOrdinal() + "-" + link.getToOrdinal());
        once(at + ".storage", asked.getStorageList(), StorageShare::getStorage);
        once(at + ".countables", asked.getCountablesList(), Countable::getName);
        return inOrder(asked);
    }

    private static <S, K> void once(String at, List<S> shares, Function<S, K> key) {
        TreeSet<K> seen = new TreeSet<>();
        for (S share : shares) {
            if (!seen.add(key.apply(share))) {
                throw Problems.invalid(at + ": " + key.apply(share) + " twice (expected: each once)");
            }
        }
    }

    private static Claim inOrder(Claim asked) {
        return asked.toBuilder()
                .clearCores()
                .addAllCores(sorted(asked.getCoresList(), Comparator.comparing(CoreShare::getCoreId)))
                .clearDevices()
                .addAllDevices(sorted(asked.getDevicesList(), Comparator.comparing(DeviceShare::getOrdinal)))
                .clearNics()
                .addAllNics(sorted(asked.getNicsList(), Comparator.comparing(NicShare::getNic)))
                .clearLinks()
                .addAllLinks(sorted(
                        asked.getLinksList(),
                        Comparator.comparing(LinkShare::getFromOrdinal).thenComparing(LinkShare::getToOrdinal)))
                .clearStorage()
                .addAllStorage(sorted(asked.getStorageList(), Comparator.comparing(StorageShare::getStorage)))
                .clearCountables()
                .addAllCountables(sorted(asked.getCountablesList(), Comparator.comparing(Countable::getName)))
                .build();
    }

    private static <S> List<S> sorted(List<S> shares, Comparator<S> order) {
        return shares.stream().sorted(order).toList();
    }
}
