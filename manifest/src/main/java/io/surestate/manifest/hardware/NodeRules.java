package io.surestate.manifest.hardware;

import io.surestate.api.Limits;
import io.surestate.api.Names;
import io.surestate.api.v1.Countable;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.Domain;
import io.surestate.api.v1.Label;
import io.surestate.api.v1.Link;
import io.surestate.api.v1.Nic;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.NumaNode;
import io.surestate.api.v1.Storage;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the description of a node's hardware must keep to, whoever made it. One thread, one description. */
public final class NodeRules {
    private static final int DOMAINS_MAX = 16;
    private static final int NUMBER_MAX = 1_000_000;
    private static final long STORAGE_BYTES_MAX = 1L << 60;

    /** Ends the checks at the first problem. */
    private static final class Broken extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Broken(String message) {
            super(message);
        }
    }

    private final NodeSpec spec;
    private final Map<Integer, Device> devices = new HashMap<>();

    private NodeRules(NodeSpec spec) {
        this.spec = spec;
    }

    /** The first problem, with the field's name. */
    public static Optional<String> problem(NodeSpec spec) {
        try {
            new NodeRules(spec).check();
            return Optional.empty();
        } catch (Broken broken) {
            return Optional.ofNullable(broken.getMessage());
        }
    }

    private void check() {
        Set<String> names = new HashSet<>();
        for (Label label : spec.getLabelsList()) {
            text("labels", label.getKey(), 1, Limits.LABEL_CHARS_MAX);
            text("labels." + label.getKey(), label.getValue(), 0, Limits.NAME_CHARS_MAX);
            once("labels", label.getKey(), names);
        }
        domains();
        text("cpuModel", spec.getCpuModel(), 0, Limits.NAME_CHARS_MAX);
        text("os", spec.getOs(), 0, Limits.NAME_CHARS_MAX);
        text("hostname", spec.getHostname(), 0, Limits.NAME_CHARS_MAX);
        text("address", spec.getAddress(), 0, Limits.NAME_CHARS_MAX);
        range("sockets", spec.getSockets(), 0, Limits.CORES_PER_NODE_MAX);
        range("memory", spec.getMemoryBytes(), 0, Limits.MEMORY_BYTES_MAX);
        places();
        devices();
        links();
        goods();
    }

    private void domains() {
        range("domains", spec.getDomainsCount(), 0, DOMAINS_MAX);
        Set<String> levels = new HashSet<>();
        for (Domain domain : spec.getDomainsList()) {
            text("domains.level", domain.getLevel(), 1, Limits.NAME_CHARS_MAX);
            text("domains.name", domain.getName(), 1, Limits.NAME_CHARS_MAX);
            once("domains.level", domain.getLevel(), levels);
        }
    }

    private void places() {
        range("numa", spec.getNumaCount(), 0, Limits.CORES_PER_NODE_MAX);
        Set<String> ids = new HashSet<>();
        Set<String> cores = new HashSet<>();
        for (NumaNode place : spec.getNumaList()) {
            range("numa.id", place.getId(), 0, NUMBER_MAX);
            once("numa.id", Integer.toString(place.getId()), ids);
            range("numa.socket", place.getSocket(), -1, NUMBER_MAX);
            range("numa.memory", place.getMemoryBytes(), 0, Limits.MEMORY_BYTES_MAX);
            range("numa.coreIds", cores.size() + place.getCoreIdsCount(), 0, Limits.CORES_PER_NODE_MAX);
            int before = -1;
            for (int core : place.getCoreIdsList()) {
                range("numa.coreIds", core, before + 1L, NUMBER_MAX);
                once("numa.coreIds", Integer.toString(core), cores);
                before = core;
            }
        }
    }

    private void devices() {
        range("devices", spec.getDevicesCount(), 0, Limits.DEVICES_PER_NODE_MAX);
        int before = -1;
        for (Device device : spec.getDevicesList()) {
            range("devices.ordinal", device.getOrdinal(), before + 1L, NUMBER_MAX);
            before = device.getOrdinal();
            String field = "devices[" + device.getOrdinal() + "]";
            if (device.getKind() == DeviceKind.DEVICE_KIND_UNSPECIFIED || device.getKind() == DeviceKind.UNRECOGNIZED) {
                throw broken(field + ".kind", "", "GPU, NPU, DPU, FPGA or QPU");
            }
            text(field + ".vendor", device.getVendor(), 0, Limits.NAME_CHARS_MAX);
            text(field + ".model", device.getModel(), 0, Limits.NAME_CHARS_MAX);
            text(field + ".hardwareId", device.getHardwareId(), 0, Limits.NAME_CHARS_MAX);
            text(field + ".pciAddress", device.getPciAddress(), 0, Limits.NAME_CHARS_MAX);
            range(field + ".memory", device.getMemoryBytes(), 0, Limits.MEMORY_BYTES_MAX);
            range(field + ".numaNode", device.getNumaNode(), -1, NUMBER_MAX);
            partition(field, device);
            devices.put(device.getOrdinal(), device);
        }
    }

    private void partition(String field, Device device) {
        text(field + ".partition", device.getPartition(), 0, Limits.NAME_CHARS_MAX);
        if (device.getParentPlusOne() == 0 && device.getPartition().isEmpty()) {
            return;
        }
        Device parent = devices.get(device.getParentPlusOne() - 1);
        boolean whole = parent != null && parent.getParentPlusOne() == 0;
        if (!whole || device.getPartition().isEmpty()) {
            throw broken(
                    field + ".parentPlusOne",
                    Integer.toString(device.getParentPlusOne()),
                    "the ordinal, plus one, of a whole device before it, and a partition");
        }
    }

    private void links() {
        Set<String> pairs = new HashSet<>();
        for (Link link : spec.getLinksList()) {
            String pair = link.getFromOrdinal() + "-" + link.getToOrdinal();
            boolean known = devices.containsKey(link.getFromOrdinal()) && devices.containsKey(link.getToOrdinal());
            if (!known || link.getFromOrdinal() == link.getToOrdinal()) {
                throw broken("links", pair, "the ordinals of two devices of the node");
            }
            int low = Math.min(link.getFromOrdinal(), link.getToOrdinal());
            once("links", low + "-" + Math.max(link.getFromOrdinal(), link.getToOrdinal()), pairs);
            text("links[" + pair + "].type", link.getType(), 1, Limits.LABEL_CHARS_MAX);
            range("links[" + pair + "].bandwidth", link.getBitsPerSecond(), 0, Limits.NAMED_AMOUNT_MAX);
        }
    }

    private void goods() {
        Set<String> nics = new HashSet<>();
        for (Nic nic : spec.getNicsList()) {
            text("nics.name", nic.getName(), 1, Limits.LABEL_CHARS_MAX);
            once("nics.name", nic.getName(), nics);
            range("nics." + nic.getName() + ".speed", nic.getBitsPerSecond(), 0, Limits.NAMED_AMOUNT_MAX);
            text("nics." + nic.getName() + ".pciAddress", nic.getPciAddress(), 0, Limits.NAME_CHARS_MAX);
            range("nics." + nic.getName() + ".numaNode", nic.getNumaNode(), -1, NUMBER_MAX);
        }
        Set<String> stores = new HashSet<>();
        for (Storage storage : spec.getStorageList()) {
            text("storage.name", storage.getName(), 1, Limits.LABEL_CHARS_MAX);
            once("storage.name", storage.getName(), stores);
            text("storage.type", storage.getType(), 0, Limits.NAME_CHARS_MAX);
            range("storage." + storage.getName() + ".capacity", storage.getCapacityBytes(), 0, STORAGE_BYTES_MAX);
        }
        Set<String> countables = new HashSet<>();
        for (Countable countable : spec.getCountablesList()) {
            Names.countableProblem("countables", countable.getName()).ifPresent(problem -> {
                throw new Broken(problem);
            });
            once("countables", countable.getName(), countables);
            range("countables." + countable.getName(), countable.getAmount(), 0, Limits.NAMED_AMOUNT_MAX);
        }
        int many = Limits.DEVICES_PER_NODE_MAX;
        range(
                "labels, nics, storage, countables",
                Math.max(
                        Math.max(spec.getLabelsCount(), spec.getNicsCount()),
                        Math.max(spec.getStorageCount(), spec.getCountablesCount())),
                0,
                many);
    }

    private static void range(String field, long value, long min, long max) {
        if (value < min || value > max) {
            throw broken(field, Long.toString(value), min + " to " + max);
        }
    }

    private static void text(String field, String value, int min, int max) {
        boolean printable = value.chars().noneMatch(Character::isISOControl);
        if (value.length() < min || value.length() > max || !printable) {
            throw broken(field, value, min + " to " + max + " printable characters");
        }
    }

    private static void once(String field, String value, Set<String> seen) {
        if (!seen.add(value)) {
            throw broken(field, value, "each once");
        }
    }

    private static Broken broken(String field, String value, String expected) {
        return new Broken(Names.message(field, value, expected));
    }
}
