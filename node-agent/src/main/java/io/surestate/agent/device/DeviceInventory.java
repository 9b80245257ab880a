package io.surestate.agent.device;

import io.surestate.api.Names;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceHealth;
import io.surestate.api.v1.DeviceTelemetry;
import io.surestate.api.v1.Link;
import io.surestate.api.v1.NodeSpec;
import io.surestate.manifest.hardware.DeviceSigns;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The devices of one source over time, under numbers that stay theirs. A device that is no longer listed stays known, and ill; a
 * partition that is no longer listed beside its device is gone. Immutable.
 *
 * @param part everything that is known, ascending by ordinal, with health
 * @param ailments why devices are ill, by ordinal
 * @param telemetry of devices that are there, ascending by ordinal
 */
record DeviceInventory(NodeSpec part, Map<Integer, String> ailments, List<DeviceTelemetry> telemetry) {
    static final DeviceInventory NONE = new DeviceInventory(NodeSpec.getDefaultInstance(), Map.of(), List.of());

    DeviceInventory {
        ailments = Map.copyOf(ailments);
        telemetry = List.copyOf(telemetry);
    }

    /** Nothing is known of how they are doing. */
    static DeviceInventory remembered(NodeSpec part) {
        return new DeviceInventory(part, Map.of(), List.of());
    }

    /** A finding that was taken in, and numbers that must be kept before anybody hears of it. */
    record Step(DeviceInventory inventory, Ordinals ordinals) {}

    /**
     * Takes in what a source found.
     *
     * @param elsewhere keys of other sources' devices, whose numbers stay theirs
     * @throws IllegalArgumentException two devices cannot be told apart, or there are too many
     */
    Step after(String source, DeviceSource.Found found, Ordinals ordinals, Set<String> elsewhere) {
        List<Device> listed = found.part().getDevicesList();
        Map<Integer, String> keys = keys(source, listed);
        Set<String> kept = new HashSet<>(elsewhere);
        part.getDevicesList().forEach(device -> kept.add(key(source, device)));
        List<String> wholeFirst = listed.stream()
                .sorted(Comparator.comparing(device -> device.getParentPlusOne() > 0))
                .map(device -> keys.getOrDefault(device.getOrdinal(), ""))
                .toList();
        Ordinals numbered = ordinals.with(wholeFirst, kept)
                .orElseThrow(() -> new IllegalArgumentException(Names.message(
                        "devices",
                        Integer.toString(listed.size()),
                        "as many as there are numbers for devices of a node")));
        Map<Integer, Integer> numbers = new HashMap<>();
        keys.forEach((local, key) -> numbers.put(local, numbered.of(key).orElseThrow()));
        return new Step(numbered(source, found, numbers), numbered);
    }

    private Map<Integer, String> keys(String source, List<Device> listed) {
        Map<Integer, String> keys = new LinkedHashMap<>();
        Set<String> seen = new HashSet<>();
        for (Device device : listed) {
            String key = key(source, identified(device));
            if (!seen.add(key)) {
                throw new IllegalArgumentException("devices: two with the hardware id " + device.getHardwareId()
                        + " at " + device.getPciAddress() + " (expected: each once)");
            }
            keys.put(device.getOrdinal(), key);
        }
        return keys;
    }

    static String key(String source, Device device) {
        return source + "/" + device.getHardwareId();
    }

    /** A device that does not tell its id is the one that was at its place, or is known by its place. */
    private Device identified(Device device) {
        if (!device.getHardwareId().isEmpty()) {
            return device;
        }
        return part.getDevicesList().stream()
                .filter(known -> known.getParentPlusOne() == 0)
                .filter(known -> known.getPciAddress().equals(device.getPciAddress()))
                .findFirst()
                .orElseGet(() -> device.toBuilder()
                        .setHardwareId(
                                device.getPciAddress().isEmpty()
                                        ? "device-" + device.getOrdinal()
                                        : device.getPciAddress())
                        .build());
    }

    private DeviceInventory numbered(String source, DeviceSource.Found found, Map<Integer, Integer> numbers) {
        TreeMap<Integer, Device> devices = new TreeMap<>();
        Map<Integer, String> ills = new TreeMap<>();
        Map<Integer, DeviceSigns> signs = new HashMap<>();
        found.signs().forEach(sign -> signs.put(sign.ordinal(), sign));
        List<DeviceTelemetry> told = new ArrayList<>();
        for (Device device : found.part().getDevicesList()) {
            int ordinal = number(numbers, device.getOrdinal());
            Device.Builder known = identified(device).toBuilder().setOrdinal(ordinal);
            if (device.getParentPlusOne() > 0) {
                known.setParentPlusOne(number(numbers, device.getParentPlusOne() - 1) + 1);
            }
            devices.put(ordinal, known.build());
            Optional.ofNullable(signs.get(device.getOrdinal())).ifPresent(sign -> {
                told.add(sign.telemetry().toBuilder().setOrdinal(ordinal).build());
                if (!sign.ailment().isEmpty()) {
                    ills.put(ordinal, sign.ailment());
                }
            });
        }
        missing(source, devices, ills);
        devices.replaceAll((ordinal, device) -> device.toBuilder()
                .setHealth(
                        ills.containsKey(ordinal)
                                ? DeviceHealth.DEVICE_HEALTH_UNHEALTHY
                                : DeviceHealth.DEVICE_HEALTH_HEALTHY)
                .build());
        told.sort(Comparator.comparingInt(DeviceTelemetry::getOrdinal));
        return new DeviceInventory(part(found.part(), numbers, devices.values()), ills, told);
    }

    private static int number(Map<Integer, Integer> numbers, int local) {
        return Optional.ofNullable(numbers.get(local))
                .orElseThrow(() -> new IllegalArgumentException(
                        Names.message("ordinal", Integer.toString(local), "that of a listed device")));
    }

    /** What was known and is not listed: away, unless its device was cut anew or another one is in its place. */
    private void missing(String source, Map<Integer, Device> there, Map<Integer, String> ills) {
        Set<String> places = new HashSet<>();
        there.values().forEach(device -> places.add(device.getPciAddress()));
        Set<Integer> listed = Set.copyOf(there.keySet());
        List<Device> wholeFirst = part.getDevicesList().stream()
                .filter(known -> !listed.contains(known.getOrdinal()))
                .sorted(Comparator.comparing(device -> device.getParentPlusOne() > 0))
                .toList();
        for (Device known : wholeFirst) {
            boolean whole = known.getParentPlusOne() == 0;
            boolean replaced = whole
                    ? !known.getPciAddress().isEmpty() && places.contains(known.getPciAddress())
                    : listed.contains(known.getParentPlusOne() - 1) || !there.containsKey(known.getParentPlusOne() - 1);
            if (!replaced) {
                there.put(known.getOrdinal(), known);
                ills.put(known.getOrdinal(), source + " no longer lists it");
            }
        }
    }

    private NodeSpec part(NodeSpec found, Map<Integer, Integer> numbers, Collection<Device> devices) {
        boolean away = devices.size() > found.getDevicesCount();
        Map<List<Integer>, Link> links = new LinkedHashMap<>();
        for (Link link : found.getLinksList()) {
            Link known = link.toBuilder()
                    .setFromOrdinal(number(numbers, link.getFromOrdinal()))
                    .setToOrdinal(number(numbers, link.getToOrdinal()))
                    .build();
            links.put(pair(known), known);
        }
        if (away) {
            Set<Integer> known = new HashSet<>();
            devices.forEach(device -> known.add(device.getOrdinal()));
            part.getLinksList().stream()
                    .filter(link -> known.contains(link.getFromOrdinal()) && known.contains(link.getToOrdinal()))
                    .forEach(link -> links.putIfAbsent(pair(link), link));
        }
        NodeSpec.Builder all =
                found.toBuilder().clearDevices().addAllDevices(devices).clearLinks();
        links.values().stream()
                .sorted(Comparator.comparing(Link::getFromOrdinal).thenComparing(Link::getToOrdinal))
                .forEach(all::addLinks);
        if (away && found.getDomainsCount() == 0) {
            all.addAllDomains(part.getDomainsList());
        }
        return all.build();
    }

    private static List<Integer> pair(Link link) {
        return List.of(
                Math.min(link.getFromOrdinal(), link.getToOrdinal()),
                Math.max(link.getFromOrdinal(), link.getToOrdinal()));
    }
}
