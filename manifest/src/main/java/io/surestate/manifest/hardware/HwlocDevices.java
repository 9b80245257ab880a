package io.surestate.manifest.hardware;

import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.Nic;
import io.surestate.api.v1.Storage;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * PCI and OS devices of hwloc. An accelerator is a PCI device with an OS device that computes (CUDA, NVML, RSMI, ...); a display adapter
 * alone is none. One thread.
 */
final class HwlocDevices {
    /** What an OS device is; the numbers are flags from version 3 on. */
    private enum Kind {
        STORAGE(0, 1),
        GPU(1, 4),
        NETWORK(2, 16),
        VERBS(3, 32),
        COPROCESSOR(5, 8);

        private final int number;
        private final int flag;

        Kind(int number, int flag) {
            this.number = number;
            this.flag = flag;
        }
    }

    private static final Set<String> COMPUTES = Set.of("CUDA", "NVML", "RSMI", "OpenCL", "LevelZero");

    private final HardwareSource source;
    private final NodeDraft draft;
    private final Map<Integer, BitSet> places;
    private final boolean flags;
    private final Map<String, Integer> byId = new HashMap<>();

    /**
     * @param places cores by NUMA place
     * @param version of the format
     */
    HwlocDevices(HardwareSource source, NodeDraft draft, Map<Integer, BitSet> places, String version) {
        this.source = source;
        this.draft = draft;
        this.places = places;
        this.flags = version.startsWith("3");
    }

    /** Ordinals by {@code OSDev:} or {@code PCIDev:} and gp_index. */
    Map<String, Integer> byId() {
        return Map.copyOf(byId);
    }

    /** @param place the nearest object around it that has cores */
    void gather(XmlElement object, XmlElement place) {
        XmlElement near = object.attribute("cpuset").isEmpty() ? place : object;
        switch (object.attribute("type")) {
            case "PCIDev" -> function(object, near);
            case "OSDev" -> disk(object);
            default -> object.all("object").forEach(child -> gather(child, near));
        }
    }

    private void function(XmlElement pci, XmlElement near) {
        List<XmlElement> all = pci.all("object").toList();
        int place = placeOf(near);
        Optional<XmlElement> network =
                all.stream().filter(device -> is(device, Kind.NETWORK)).findFirst();
        Optional<XmlElement> verbs =
                all.stream().filter(device -> is(device, Kind.VERBS)).findFirst();
        network.or(() -> verbs)
                .ifPresent(nic -> draft.spec()
                        .addNics(Nic.newBuilder()
                                .setName(nic.attribute("name"))
                                .setRdma(verbs.isPresent())
                                .setPciAddress(pci.attribute("pci_busid"))
                                .setNumaNode(place)));
        all.forEach(this::disk);
        List<XmlElement> computing = all.stream().filter(this::computes).toList();
        if (!computing.isEmpty()) {
            accelerator(pci, computing, place);
        }
    }

    private void accelerator(XmlElement pci, List<XmlElement> computing, int place) {
        Device.Builder device = draft.device();
        device.setKind(DeviceKind.DEVICE_KIND_GPU)
                .setVendor(vendor(said(computing, "GPUVendor")))
                .setModel(said(computing, "GPUModel"))
                .setHardwareId(said(computing, "NVIDIAUUID", "AMDUUID", "NVIDIASerial", "AMDSerial"))
                .setPciAddress(pci.attribute("pci_busid"))
                .setNumaNode(place);
        String memory = said(computing, "CUDAGlobalMemorySize", "RSMIVRAMSize", "NVMLMemorySize");
        if (!memory.isEmpty()) {
            device.setMemoryBytes(
                    memory.endsWith("B")
                            ? Amounts.bytes(source, pci.line(), "memory", memory)
                            : Amounts.bytes(source, pci.line(), "memory", memory, 10));
        }
        byId.put("PCIDev:" + pci.attribute("gp_index"), device.getOrdinal());
        computing.forEach(os -> byId.put("OSDev:" + os.attribute("gp_index"), device.getOrdinal()));
    }

    private static String said(List<XmlElement> devices, String... names) {
        for (String name : names) {
            for (XmlElement device : devices) {
                String value = HwlocXml.info(device, name);
                if (!value.isEmpty()) {
                    return value;
                }
            }
        }
        return "";
    }

    private static String vendor(String said) {
        return said.startsWith("NVIDIA") ? "NVIDIA" : said.startsWith("Advanced Micro") ? "AMD" : said;
    }

    private void disk(XmlElement device) {
        boolean removable = device.attribute("subtype").startsWith("Removable")
                || HwlocXml.info(device, "Type").startsWith("Removable");
        if (!device.attribute("type").equals("OSDev") || !is(device, Kind.STORAGE) || removable) {
            return;
        }
        String size = HwlocXml.info(device, "Size");
        Storage.Builder storage = Storage.newBuilder()
                .setName(device.attribute("name"))
                .setType(
                        device.attribute("subtype").isEmpty()
                                ? HwlocXml.info(device, "Type")
                                : device.attribute("subtype"));
        if (!size.isEmpty()) {
            storage.setCapacityBytes(
                    size.endsWith("B")
                            ? Amounts.bytes(source, device.line(), "Size", size)
                            : Amounts.bytes(source, device.line(), "Size", size, 10));
        }
        draft.spec().addStorage(storage);
    }

    private boolean computes(XmlElement device) {
        return is(device, Kind.COPROCESSOR)
                || (is(device, Kind.GPU)
                        && (COMPUTES.contains(HwlocXml.info(device, "Backend"))
                                || COMPUTES.contains(device.attribute("subtype"))));
    }

    private boolean is(XmlElement device, Kind kind) {
        if (!device.attribute("type").equals("OSDev")) {
            return false;
        }
        int type = Amounts.whole(source, device.line(), "osdev_type", device.attribute("osdev_type"), 1 << 16);
        return flags ? (type & kind.flag) != 0 : type == kind.number;
    }

    /** The one place whose cores are those of {@code near}. */
    private int placeOf(XmlElement near) {
        BitSet cores = CpuSets.mask(source, near.line(), "cpuset", near.attribute("cpuset"));
        List<Integer> touched = places.entrySet().stream()
                .filter(place -> place.getValue().intersects(cores))
                .map(Map.Entry::getKey)
                .toList();
        return touched.size() == 1 ? touched.get(0) : NodeDraft.UNKNOWN;
    }
}
