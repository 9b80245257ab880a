package io.surestate.scheduler;

import io.surestate.api.v1.Claim;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.Resources;
import io.surestate.scheduler.PlacementView.CoreOffer;
import io.surestate.scheduler.PlacementView.DeviceOffer;
import io.surestate.scheduler.PlacementView.NodeOffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** What is left of one node while a plan is made. Mutable, used by one planning run; {@link #release} undoes {@link #take}. */
final class FreeNode {
    private static final int WHOLE_MILLI = 1000;

    private final NodeOffer offer;
    private final TreeMap<Integer, Integer> coreMilli = new TreeMap<>();
    private final TreeMap<Integer, DeviceOffer> devices = new TreeMap<>();
    private long memoryBytes;
    private long freeMilli;

    FreeNode(NodeOffer offer) {
        this.offer = offer;
        this.memoryBytes = offer.freeMemoryBytes();
        for (CoreOffer core : offer.cores()) {
            coreMilli.put(core.id(), core.freeMilli());
            freeMilli += core.freeMilli();
        }
        offer.devices().forEach(device -> devices.put(device.ordinal(), device));
    }

    String name() {
        return offer.name();
    }

    long epoch() {
        return offer.epoch();
    }

    /** The exact claim of one task here, or empty if it does not fit. Changes nothing. */
    Optional<Claim> fit(Resources asked) {
        if (asked.getMemoryBytes() > memoryBytes || asked.getCpuMillicores() > freeMilli) {
            return Optional.empty();
        }
        Optional<List<CoreShare>> cores = cores(asked.getCpuMillicores());
        Optional<List<DeviceShare>> chosen = devices(asked.getDevicesList());
        if (cores.isEmpty() || chosen.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(Claim.newBuilder()
                .addAllCores(cores.get())
                .setMemoryBytes(asked.getMemoryBytes())
                .addAllDevices(chosen.get())
                .build());
    }

    void take(Claim claim) {
        memoryBytes -= claim.getMemoryBytes();
        for (CoreShare core : claim.getCoresList()) {
            coreMilli.merge(core.getCoreId(), -core.getMilli(), Integer::sum);
            freeMilli -= core.getMilli();
        }
        claim.getDevicesList().forEach(device -> devices.remove(device.getOrdinal()));
    }

    void release(Claim claim) {
        memoryBytes += claim.getMemoryBytes();
        for (CoreShare core : claim.getCoresList()) {
            coreMilli.merge(core.getCoreId(), core.getMilli(), Integer::sum);
            freeMilli += core.getMilli();
        }
        Set<Integer> back = new TreeSet<>();
        claim.getDevicesList().forEach(device -> back.add(device.getOrdinal()));
        offer.devices().stream()
                .filter(device -> back.contains(device.ordinal()))
                .forEach(device -> devices.put(device.ordinal(), device));
    }

    /** How far the node is from taking one task: what is missing, each at least 0. */
    Shortage shortage(Resources asked) {
        long cpu = cores(asked.getCpuMillicores()).isPresent()
                ? 0
                : Math.max(1, asked.getCpuMillicores() - usableMilli(asked.getCpuMillicores()));
        long memory = Math.max(0, asked.getMemoryBytes() - memoryBytes);
        long missingDevices = 0;
        for (DeviceRequest request : asked.getDevicesList()) {
            long matching = devices.values().stream()
                    .filter(device -> matches(device, request))
                    .count();
            missingDevices += Math.max(0, request.getCount() - matching);
        }
        return new Shortage(name(), cpu, memory, missingDevices);
    }

    /** Whole free cores, and for the fraction the best single core. */
    private long usableMilli(long millicores) {
        long whole =
                coreMilli.values().stream().filter(free -> free == WHOLE_MILLI).count() * WHOLE_MILLI;
        int shared = coreMilli.values().stream()
                .filter(free -> free < WHOLE_MILLI)
                .max(Comparator.naturalOrder())
                .orElse(0);
        return Math.min(millicores, whole + Math.min(shared, millicores % WHOLE_MILLI));
    }

    /** Lowest whole cores, and for the fraction the fullest core that still has room. */
    private Optional<List<CoreShare>> cores(long millicores) {
        long whole = millicores / WHOLE_MILLI;
        int fraction = (int) (millicores % WHOLE_MILLI);
        List<CoreShare> chosen = new ArrayList<>();
        int sharedCore = -1;
        int sharedFree = Integer.MAX_VALUE;
        for (var core : coreMilli.entrySet()) {
            int free = core.getValue();
            if (free == WHOLE_MILLI && chosen.size() < whole) {
                chosen.add(share(core.getKey(), WHOLE_MILLI));
            } else if (fraction > 0 && free >= fraction && free < sharedFree) {
                sharedCore = core.getKey();
                sharedFree = free;
            }
        }
        if (chosen.size() < whole || (fraction > 0 && sharedCore < 0)) {
            return Optional.empty();
        }
        if (fraction > 0) {
            chosen.add(share(sharedCore, fraction));
            chosen.sort(Comparator.comparingInt(CoreShare::getCoreId));
        }
        return Optional.of(chosen);
    }

    private static CoreShare share(int core, int milli) {
        return CoreShare.newBuilder().setCoreId(core).setMilli(milli).build();
    }

    private Optional<List<DeviceShare>> devices(List<DeviceRequest> requests) {
        Set<Integer> chosen = new TreeSet<>();
        for (DeviceRequest request : requests) {
            List<Integer> matching = devices.values().stream()
                    .filter(device -> matches(device, request) && !chosen.contains(device.ordinal()))
                    .map(DeviceOffer::ordinal)
                    .limit(request.getCount())
                    .toList();
            if (matching.size() < request.getCount()) {
                return Optional.empty();
            }
            chosen.addAll(matching);
        }
        return Optional.of(chosen.stream()
                .map(ordinal -> DeviceShare.newBuilder()
                        .setOrdinal(ordinal)
                        .setMilli(WHOLE_MILLI)
                        .build())
                .toList());
    }

    private static boolean matches(DeviceOffer device, DeviceRequest request) {
        return device.kind() == request.getKind()
                && (request.getModel().isEmpty() || request.getModel().equals(device.model()));
    }
}
