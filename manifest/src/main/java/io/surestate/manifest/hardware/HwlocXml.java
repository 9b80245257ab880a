package io.surestate.manifest.hardware;

import io.surestate.api.Limits;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * hwloc's XML, versions 2 and 3: packages, NUMA places with cores and memory, OS devices (accelerators, NICs, disks), and the matrix of
 * NVLink bandwidths. Memory of GPUs that the kernel shows as NUMA places is not counted as memory of the machine.
 */
final class HwlocXml implements HardwareReader {
    private static final int OS_INDEX_MAX = 1_000_000;

    @Override
    public Hardware read(HardwareSource source) {
        XmlElement topology = XmlTree.read(source, "topology");
        XmlElement machine = topology.first("object")
                .filter(object -> object.attribute("type").equals("Machine"))
                .orElseThrow(() -> source.at(topology.line(), "topology", "", "an <object type=\"Machine\">"));
        NodeDraft draft = new NodeDraft(source);
        Map<Integer, BitSet> places = new HashMap<>();
        processors(source, draft, places, machine, NodeDraft.UNKNOWN);
        HwlocDevices devices = new HwlocDevices(source, draft, places, topology.attribute("version"));
        devices.gather(machine, machine);
        new HwlocDistances(source, draft, devices.byId()).read(topology);
        return draft.build();
    }

    private static void processors(
            HardwareSource source, NodeDraft draft, Map<Integer, BitSet> places, XmlElement object, int socket) {
        int inner = socket;
        switch (object.attribute("type")) {
            case "Package" -> {
                draft.spec().setSockets(draft.spec().getSockets() + 1);
                if (draft.spec().getCpuModel().isEmpty()) {
                    draft.spec().setCpuModel(info(object, "CPUModel"));
                }
                inner = index(source, object);
            }
            case "NUMANode" -> place(source, draft, places, object, socket);
            default -> {}
        }
        for (XmlElement child : object.all("object").toList()) {
            processors(source, draft, places, child, inner);
        }
    }

    private static void place(
            HardwareSource source, NodeDraft draft, Map<Integer, BitSet> places, XmlElement numa, int socket) {
        int id = index(source, numa);
        if (numa.attribute("subtype").equals("GPUMemory")) {
            draft.note("NUMA place " + id + " is memory of a GPU: passed over");
            return;
        }
        if (places.containsKey(id)) {
            throw source.at(numa.line(), "os_index", Integer.toString(id), "each NUMA place once");
        }
        BitSet cores = CpuSets.mask(source, numa.line(), "cpuset", numa.attribute("cpuset"));
        draft.place(id).setSocket(socket);
        // Fast memory is a place of its own beside the one that has the cores.
        boolean taken = places.values().stream().anyMatch(cores::intersects);
        places.put(id, taken ? new BitSet() : cores);
        if (!taken) {
            draft.cores(id, cores);
        }
        String memory = numa.attribute("local_memory");
        if (memory.isEmpty()) {
            draft.note("NUMA place " + id + ": its memory is not said");
        } else {
            long bytes = Amounts.bytes(source, numa.line(), "local_memory", memory, 0);
            draft.place(id).setMemoryBytes(bytes);
            long sum = draft.spec().getMemoryBytes() + bytes;
            if (sum > Limits.MEMORY_BYTES_MAX) {
                throw source.at(numa.line(), "local_memory", memory, "at most 2^50 bytes in all");
            }
            draft.spec().setMemoryBytes(sum);
        }
    }

    private static int index(HardwareSource source, XmlElement object) {
        return Amounts.whole(source, object.line(), "os_index", object.attribute("os_index"), OS_INDEX_MAX);
    }

    static String info(XmlElement object, String name) {
        return object.all("info")
                .filter(info -> info.attribute("name").equals(name))
                .map(info -> info.attribute("value").strip())
                .findFirst()
                .orElse("");
    }
}
