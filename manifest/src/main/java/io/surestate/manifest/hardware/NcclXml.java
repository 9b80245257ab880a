package io.surestate.manifest.hardware;

import io.surestate.api.Limits;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.Nic;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The topology of a machine as NCCL and RCCL keep it: processors with their NUMA place and cores, below them the PCI tree with GPUs,
 * NICs and links. A GPU is what has a {@code gpu} element, or a PCI class of display and acceleration. GPUs without a link of their own
 * that share PCI bridges have the link PIX (one bridge) or PXB (several).
 */
final class NcclXml implements HardwareReader {
    private static final Set<String> GPU_CLASSES = Set.of("0x0300", "0x0302", "0x0380", "0x1200");
    private static final String SWITCH_CLASS = "0x0680";
    private static final Map<String, String> VENDORS = Map.of("0x10de", "NVIDIA", "0x1002", "AMD");
    private static final int SPEED_MBPS_MAX = 100_000_000;
    private static final int LINKS_MAX = 1_000;

    /** A GPU and where it hangs: its PCI ancestors, the nearest last. */
    private record Found(int ordinal, XmlElement pci, List<String> above) {
        Found {
            above = List.copyOf(above);
        }

        /** Whether both hang on one bridge of the outermost level, and none of them on the processor itself. */
        boolean sharesBridge(Found other) {
            return !above.isEmpty() && !other.above.isEmpty() && above.get(0).equals(other.above.get(0));
        }
    }

    /** What is gathered while the tree is walked. One thread. */
    private record Walk(HardwareSource source, NodeDraft draft, Map<String, Found> gpus) {}

    @Override
    public Hardware read(HardwareSource source) {
        XmlElement system = XmlTree.read(source, "system");
        NodeDraft draft = new NodeDraft(source);
        Walk walk = new Walk(source, draft, new LinkedHashMap<>());
        List<XmlElement> cpus = system.all("cpu").toList();
        if (cpus.isEmpty()) {
            throw source.at(system.line(), "system", "", "at least one <cpu>");
        }
        for (XmlElement cpu : cpus) {
            String id = cpu.attribute("numaid");
            int place = id.equals("-1")
                    ? NodeDraft.UNKNOWN
                    : Amounts.whole(source, cpu.line(), "numaid", id, Limits.CORES_PER_NODE_MAX);
            String affinity = cpu.attribute("affinity");
            if (place != NodeDraft.UNKNOWN) {
                draft.place(place);
                if (!affinity.isEmpty()) {
                    draft.cores(place, CpuSets.mask(source, cpu.line(), "affinity", affinity));
                }
            }
            below(walk, cpu, place, List.of());
        }
        fast(walk);
        pci(walk);
        return draft.build();
    }

    private static void below(Walk walk, XmlElement element, int place, List<String> above) {
        for (XmlElement child : element.children()) {
            switch (child.name()) {
                case "pci" -> function(walk, child, place, above);
                case "nic" -> child.all("net").forEach(net -> nic(walk, net, element, place));
                default -> {}
            }
        }
    }

    private static void function(Walk walk, XmlElement pci, int place, List<String> above) {
        String type = pci.attribute("class");
        boolean gpu =
                pci.first("gpu").isPresent() || GPU_CLASSES.contains(type.substring(0, Math.min(6, type.length())));
        boolean nic = pci.first("nic").isPresent();
        if (pci.attribute("busid").isEmpty()) {
            throw walk.source().at(pci.line(), "busid", "", "a PCI address");
        }
        if (gpu) {
            gpu(walk, pci, place, above);
        } else if (type.startsWith("0x02") && !nic) {
            walk.draft()
                    .spec()
                    .addNics(Nic.newBuilder()
                            .setName(Amounts.pciAddress(pci.attribute("busid")))
                            .setRdma(type.startsWith("0x0207"))
                            .setPciAddress(Amounts.pciAddress(pci.attribute("busid")))
                            .setNumaNode(place));
        } else if (type.isEmpty() && pci.children().isEmpty()) {
            walk.draft().note("PCI functions without a class: what they are is unknown, they are passed over");
        }
        List<String> inner = new ArrayList<>(above);
        inner.add(Amounts.pciAddress(pci.attribute("busid")));
        below(walk, pci, place, inner);
    }

    private static void gpu(Walk walk, XmlElement pci, int place, List<String> above) {
        HardwareSource source = walk.source();
        String address = Amounts.pciAddress(pci.attribute("busid"));
        Device.Builder device = walk.draft().device();
        boolean amd =
                pci.first("gpu").filter(gpu -> !gpu.attribute("gcn").isEmpty()).isPresent();
        String vendor = VENDORS.getOrDefault(pci.attribute("vendor"), amd ? "AMD" : "");
        device.setKind(DeviceKind.DEVICE_KIND_GPU)
                .setVendor(vendor)
                .setModel(source.model())
                .setPciAddress(address)
                .setNumaNode(place);
        if (walk.gpus().put(address, new Found(device.getOrdinal(), pci, above)) != null) {
            throw source.at(pci.line(), "busid", address, "each address once");
        }
    }

    private static void nic(Walk walk, XmlElement net, XmlElement parent, int place) {
        int megabits = net.attribute("speed").isEmpty()
                ? 0
                : Amounts.whole(walk.source(), net.line(), "speed", net.attribute("speed"), SPEED_MBPS_MAX);
        String name = net.attribute("name");
        if (name.isEmpty()) {
            throw walk.source().at(net.line(), "net.name", "", "the name of the interface");
        }
        walk.draft()
                .spec()
                .addNics(Nic.newBuilder()
                        .setName(name)
                        .setBitsPerSecond(megabits * 1_000_000L)
                        .setRdma(parent.attribute("class").startsWith("0x0207") || name.startsWith("mlx"))
                        .setPciAddress(Amounts.pciAddress(parent.attribute("busid")))
                        .setNumaNode(place));
    }

    /** NVLink and XGMI: to another GPU, or to switches. */
    private static void fast(Walk walk) {
        PairSwitch switches = new PairSwitch();
        for (Found found : walk.gpus().values()) {
            for (XmlElement gpu : found.pci().all("gpu").toList()) {
                gpu.all("nvlink").forEach(link -> fast(walk, found, gpu, link, "NVLINK", switches));
                gpu.all("xgmi").forEach(link -> fast(walk, found, gpu, link, "XGMI", switches));
            }
        }
        switches.pairs().forEach(pair -> walk.draft().link(pair.from(), pair.to(), "NVLINK", pair.bitsPerSecond()));
    }

    private static void fast(Walk walk, Found from, XmlElement gpu, XmlElement link, String type, PairSwitch switches) {
        int count = Amounts.whole(walk.source(), link.line(), "count", link.attribute("count"), LINKS_MAX);
        OptionalLong speed = speed(walk, gpu, link, type);
        if (speed.isEmpty()) {
            walk.draft().note("the bandwidth of " + type + " of an unknown generation is unknown (--model says which)");
        }
        long bits = count * speed.orElse(0);
        if (link.attribute("tclass").startsWith(SWITCH_CLASS)) {
            switches.attach(from.ordinal(), bits);
            return;
        }
        String target = Amounts.pciAddress(link.attribute("target"));
        Found to = walk.gpus().get(target);
        if (to == null || to.ordinal() == from.ordinal()) {
            walk.draft()
                    .note("GPU " + from.ordinal() + ": " + type + " to " + target + ", which is "
                            + (to == null ? "no GPU of the file" : "itself") + ": passed over");
        } else if (from.ordinal() < to.ordinal() || !pointsBack(to, from)) {
            walk.draft()
                    .link(Math.min(from.ordinal(), to.ordinal()), Math.max(from.ordinal(), to.ordinal()), type, bits);
        }
    }

    private static boolean pointsBack(Found from, Found to) {
        String address = Amounts.pciAddress(to.pci().attribute("busid"));
        return from.pci()
                .all("gpu")
                .flatMap(gpu -> gpu.children().stream())
                .anyMatch(link -> Amounts.pciAddress(link.attribute("target")).equals(address));
    }

    private static OptionalLong speed(Walk walk, XmlElement gpu, XmlElement link, String type) {
        OptionalLong byModel = LinkSpeeds.ofModel(walk.source().model());
        if (byModel.isPresent()) {
            return byModel;
        }
        if (type.equals("XGMI")) {
            return LinkSpeeds.ofGfx(gpu.attribute("gcn"));
        }
        return LinkSpeeds.ofComputeCapability(
                Amounts.whole(walk.source(), link.line(), "sm", gpu.attribute("sm"), 1_000));
    }

    private static void pci(Walk walk) {
        List<Found> gpus = new ArrayList<>(walk.gpus().values());
        Set<Long> linked = new HashSet<>();
        walk.draft()
                .spec()
                .getLinksList()
                .forEach(link -> linked.add(pair(link.getFromOrdinal(), link.getToOrdinal())));
        for (Found from : gpus) {
            for (Found to : gpus) {
                boolean forward = from.ordinal() < to.ordinal() && !linked.contains(pair(from.ordinal(), to.ordinal()));
                if (forward && from.sharesBridge(to)) {
                    String path = from.above().equals(to.above()) ? "PIX" : "PXB";
                    walk.draft().link(from.ordinal(), to.ordinal(), path, 0);
                }
            }
        }
    }

    private static long pair(int from, int to) {
        return (long) from * Limits.DEVICES_PER_NODE_MAX + to;
    }
}
