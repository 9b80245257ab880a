package io.surestate.manifest.hardware;

import io.surestate.api.Limits;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.Domain;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * {@code nvidia-smi -q -x}. GPUs are devices in the order of the file; MIG instances are devices after them, partitions of their GPU. A
 * cluster UUID with a clique is the machine's place of level {@code nvlink}; a UUID of zeros is that of a machine alone.
 */
final class NvidiaSmiXml implements HardwareReader {
    private static final String NOBODY = "00000000-0000-0000-0000-000000000000";

    @Override
    public Hardware read(HardwareSource source) {
        XmlElement log = XmlTree.read(source, "nvidia_smi_log");
        List<XmlElement> gpus = log.all("gpu").toList();
        String attached = log.textAt("attached_gpus");
        if (!attached.equals(Integer.toString(gpus.size()))) {
            throw source.at(log.line(), "attached_gpus", attached, gpus.size() + ", as many as there are");
        }
        NodeDraft draft = new NodeDraft(source);
        for (int i = 0; i < gpus.size(); i++) {
            whole(source, draft, gpus.get(i));
            draft.sign(NvidiaSigns.of(gpus.get(i), i));
        }
        for (int i = 0; i < gpus.size(); i++) {
            partitions(source, draft, gpus.get(i), i);
        }
        domain(source, draft, gpus);
        if (!gpus.isEmpty()) {
            draft.note("the file tells neither NUMA places nor links between GPUs");
        }
        return draft.build();
    }

    private static void whole(HardwareSource source, NodeDraft draft, XmlElement gpu) {
        boolean lost = NvidiaSigns.lost(gpu);
        String model = lost ? "unknown" : gpu.textAt("product_name");
        String address = gpu.attribute("id");
        if (model.isEmpty() || address.isEmpty()) {
            throw source.at(gpu.line(), "gpu", model + address, "an id and a product_name");
        }
        draft.device()
                .setKind(DeviceKind.DEVICE_KIND_GPU)
                .setVendor("NVIDIA")
                .setModel(model)
                .setHardwareId(lost ? "" : gpu.textAt("uuid"))
                .setPciAddress(Amounts.pciAddress(address))
                .setMemoryBytes(lost ? 0 : memory(source, gpu));
    }

    private static long memory(HardwareSource source, XmlElement of) {
        String text = of.textAt("fb_memory_usage", "total");
        return text.isEmpty() ? 0 : Amounts.bytes(source, of.line(), "fb_memory_usage.total", text);
    }

    private static void partitions(HardwareSource source, NodeDraft draft, XmlElement gpu, int parent) {
        List<XmlElement> instances = gpu.first("mig_devices").stream()
                .flatMap(devices -> devices.all("mig_device"))
                .toList();
        for (XmlElement instance : instances) {
            Device whole = draft.spec().getDevices(parent);
            long memory = memory(source, instance);
            String id = instance.textAt("uuid");
            draft.device()
                    .setKind(DeviceKind.DEVICE_KIND_GPU)
                    .setVendor(whole.getVendor())
                    .setModel(whole.getModel())
                    .setHardwareId(id.isEmpty() ? instanceName(source, whole, instance) : id)
                    .setPciAddress(whole.getPciAddress())
                    .setMemoryBytes(memory)
                    .setParentPlusOne(parent + 1)
                    .setPartition(profile(source, gpu, instance, memory));
            draft.sign(NvidiaSigns.ofInstance(instance, draft.spec().getDevicesCount() - 1));
            draft.note("the file names no MIG profiles: they are worked out from multiprocessors and memory");
        }
    }

    private static String instanceName(HardwareSource source, Device whole, XmlElement instance) {
        return whole.getHardwareId() + "/"
                + Amounts.whole(
                        source,
                        instance.line(),
                        "gpu_instance_id",
                        instance.textAt("gpu_instance_id"),
                        Limits.DEVICES_PER_NODE_MAX)
                + "/"
                + Amounts.whole(
                        source,
                        instance.line(),
                        "compute_instance_id",
                        instance.textAt("compute_instance_id"),
                        Limits.DEVICES_PER_NODE_MAX);
    }

    /** As the driver calls it: slices of the processor and memory in GB, {@code 1g.10gb}. */
    private static String profile(HardwareSource source, XmlElement gpu, XmlElement instance, long memory) {
        String text = instance.textAt("device_attributes", "shared", "multiprocessor_count");
        if (text.isEmpty()) {
            return "mig";
        }
        int processors = Amounts.whole(source, instance.line(), "multiprocessor_count", text, 1_000);
        // Of a seventh: 14 on GA100, at least 16 on GH100 and its successors.
        int slice = gpu.textAt("product_architecture").equals("Ampere") ? 14 : 16;
        int slices = Math.max(1, Math.min(7, processors / slice));
        long gib = 1L << 30;
        return slices + "g." + (memory + gib - 1) / gib + "gb";
    }

    private static void domain(HardwareSource source, NodeDraft draft, List<XmlElement> gpus) {
        Set<String> domains = new LinkedHashSet<>();
        for (XmlElement gpu : gpus) {
            String cluster = gpu.textAt("fabric", "clusterUuid");
            String clique = gpu.textAt("fabric", "cliqueId");
            if (!cluster.isEmpty() && !cluster.equals(NOBODY)) {
                int number = Amounts.whole(source, gpu.line(), "fabric.cliqueId", clique, 999_999_999);
                domains.add(cluster + "." + number);
            }
        }
        List<String> all = new ArrayList<>(domains);
        if (all.size() > 1) {
            draft.note("the GPUs are in different NVLink domains: " + String.join(", ", all)
                    + "; the node is put into none");
        } else if (all.size() == 1) {
            draft.spec().addDomains(Domain.newBuilder().setLevel("nvlink").setName(all.get(0)));
        }
    }
}
