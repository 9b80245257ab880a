package io.surestate.agent.device;

import io.surestate.agent.core.NodePicture;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceTelemetry;
import io.surestate.api.v1.NodeSpec;
import io.surestate.manifest.hardware.NodeRules;
import java.nio.file.Path;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts together what all sources say, look after look. {@link #look} blocks for as long as the source does and may be called by several
 * threads, each for a source of its own; what was found is for any thread.
 */
public final class DeviceWatch {
    private static final Logger LOG = LoggerFactory.getLogger(DeviceWatch.class);
    private static final String ORDINALS = "discovery/ordinals";

    private final NodeSpec machine;
    private final DeviceFolder folder;
    private final Map<String, DeviceInventory> inventories = new LinkedHashMap<>();
    private final Set<String> everFound = new HashSet<>();
    private final Conditions conditions = new Conditions();
    private Ordinals ordinals;
    private volatile NodePicture picture;
    private volatile List<DeviceTelemetry> telemetry = List.of();

    /**
     * @param machine what the node has without devices that need a source
     * @param sources in the order of their weight: where two say different things of the node, the first counts
     * @param folder of this watch's own
     */
    public DeviceWatch(NodeSpec machine, List<DeviceSource> sources, Path folder) {
        this.machine = machine;
        this.folder = new DeviceFolder(folder);
        sources.forEach(source -> inventories.put(source.name(), remembered(source.name())));
        Optional<Ordinals> kept = this.folder.ordinals();
        if (kept.isEmpty()) {
            conditions.heard(ORDINALS, "the numbers of devices were lost with a damaged file and are given anew");
        }
        this.ordinals = kept.orElse(Ordinals.NONE);
        this.picture = compose();
    }

    /** Until the source is heard; a device that it no longer lists at that time is not waited for. */
    private DeviceInventory remembered(String source) {
        return folder.found(source).map(DeviceInventory::remembered).orElse(DeviceInventory.NONE);
    }

    /** Asks one source and takes in what it says. */
    public void look(DeviceSource source) {
        DeviceSource.Finding finding = asked(source);
        synchronized (this) {
            conditions.heard("discovery/" + source.name(), taken(source.name(), finding));
            picture = compose();
            telemetry = inventories.values().stream()
                    .flatMap(inventory -> inventory.telemetry().stream())
                    .sorted(Comparator.comparingInt(DeviceTelemetry::getOrdinal))
                    .toList();
        }
    }

    private static DeviceSource.Finding asked(DeviceSource source) {
        try {
            return source.look();
        } catch (RuntimeException defect) {
            LOG.error("event=look-failed source={}", source.name(), defect);
            return new DeviceSource.Failed(source.name() + ": " + defect);
        }
    }

    /** Returns what is the matter; empty = nothing. */
    private String taken(String source, DeviceSource.Finding finding) {
        DeviceInventory before = inventory(source);
        if (finding instanceof DeviceSource.Found found) {
            return taken(source, found);
        }
        if (finding instanceof DeviceSource.Failed failed) {
            inventories.put(source, new DeviceInventory(before.part(), before.ailments(), List.of()));
            return failed.reason();
        }
        boolean had = everFound.contains(source) && before.part().getDevicesCount() > 0;
        inventories.put(source, had ? before : DeviceInventory.NONE);
        return had ? source + ": the program is gone (expected: where it was)" : "";
    }

    private String taken(String source, DeviceSource.Found found) {
        DeviceInventory before = everFound.contains(source) ? inventory(source) : DeviceInventory.NONE;
        try {
            DeviceInventory.Step step = before.after(source, found, ordinals, keysOfOthers(source));
            refuse(source, step.inventory());
            if (!step.ordinals().equals(ordinals)) {
                folder.save(step.ordinals());
                ordinals = step.ordinals();
            }
            if (!everFound.contains(source) || !step.inventory().part().equals(before.part())) {
                folder.save(source, step.inventory().part());
            }
            everFound.add(source);
            inventories.put(source, step.inventory());
            return found.trouble();
        } catch (IllegalArgumentException refused) {
            return source + ": " + refused.getMessage();
        }
    }

    /** With all that others found, a node must still be one that a server takes. */
    private void refuse(String source, DeviceInventory fresh) {
        Map<String, DeviceInventory> all = new LinkedHashMap<>(inventories);
        all.put(source, fresh);
        NodeRules.problem(composed(all.values()))
                .filter(problem -> NodeRules.problem(machine).isEmpty())
                .ifPresent(problem -> {
                    throw new IllegalArgumentException("with what others found, " + problem);
                });
    }

    private DeviceInventory inventory(String source) {
        return inventories.getOrDefault(source, DeviceInventory.NONE);
    }

    private Set<String> keysOfOthers(String source) {
        Set<String> keys = new HashSet<>();
        inventories.forEach((other, inventory) -> {
            if (!other.equals(source)) {
                inventory.part().getDevicesList().forEach(device -> keys.add(DeviceInventory.key(other, device)));
            }
        });
        return keys;
    }

    private NodePicture compose() {
        Map<Integer, String> ailments = new HashMap<>();
        inventories.values().forEach(inventory -> ailments.putAll(inventory.ailments()));
        return new NodePicture(composed(inventories.values()), ailments, conditions.told());
    }

    private NodeSpec composed(Collection<DeviceInventory> all) {
        NodeSpec.Builder spec = machine.toBuilder();
        TreeMap<Integer, Device> devices = new TreeMap<>();
        for (DeviceInventory inventory : all) {
            NodeSpec part = inventory.part();
            part.getDevicesList().forEach(device -> devices.put(device.getOrdinal(), device));
            spec.addAllLinks(part.getLinksList());
            part.getDomainsList().stream()
                    .filter(domain -> spec.getDomainsList().stream()
                            .noneMatch(other -> other.getLevel().equals(domain.getLevel())))
                    .forEach(spec::addDomains);
            part.getLabelsList().stream()
                    .filter(label -> spec.getLabelsList().stream()
                            .noneMatch(other -> other.getKey().equals(label.getKey())))
                    .forEach(spec::addLabels);
            part.getCountablesList().stream()
                    .filter(countable -> spec.getCountablesList().stream()
                            .noneMatch(other -> other.getName().equals(countable.getName())))
                    .forEach(spec::addCountables);
        }
        return spec.addAllDevices(new ArrayList<>(devices.values())).build();
    }

    /** What is known now. */
    public NodePicture picture() {
        return picture;
    }

    /** How the devices were doing when last looked at, ascending by ordinal. */
    public List<DeviceTelemetry> telemetry() {
        return telemetry;
    }
}
