package io.surestate.manifest.hardware;

import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.Nic;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code nvidia-smi topo -m}. Links are NVLINK, or by the name of the PCIe path (PIX, PXB, PHB, NODE, SYS), whose bandwidth the table does
 * not say. A NIC is in the NUMA place of a GPU that it reaches without crossing sockets.
 */
final class NvidiaSmiTopo implements HardwareReader {
    private static final Pattern CELL = Pattern.compile("NV[0-9]{1,3}|SYS|NODE|PHB|PXB|PIX|N/A");
    private static final Pattern NVLINK = Pattern.compile("NV([0-9]{1,3})");
    private static final Pattern LEGEND = Pattern.compile("\\s*(NIC[0-9]+): (\\S+)\\s*");

    @Override
    public Hardware read(HardwareSource source) {
        List<SourceLine> lines = SourceLine.of(source);
        TopoMatrix matrix = TopoMatrix.read(source, lines, "GPU", CELL);
        NodeDraft draft = new NodeDraft(source);
        List<String> gpus =
                matrix.names().stream().filter(name -> name.startsWith("GPU")).toList();
        for (String gpu : gpus) {
            Device.Builder device = draft.device()
                    .setKind(DeviceKind.DEVICE_KIND_GPU)
                    .setVendor("NVIDIA")
                    .setModel(source.model());
            TopoMatrix.Row row = matrix.rows().get(gpu);
            if (row == null) {
                draft.note("the row of " + gpu + " is missing: its place is unknown");
            } else {
                device.setNumaNode(place(source, draft, gpu, row));
            }
        }
        links(source, draft, matrix, gpus);
        nics(draft, matrix, gpus, lines);
        return draft.build();
    }

    /** The first of several NUMA places is that of the cores; the others are memory alone. */
    private static int place(HardwareSource source, NodeDraft draft, String gpu, TopoMatrix.Row row) {
        String affinity = row.place(1);
        if (affinity.isEmpty()) {
            draft.note(gpu + ": no NUMA affinity: its place is unknown");
            return NodeDraft.UNKNOWN;
        }
        BitSet places = CpuSets.list(source, row.line(), gpu + " NUMA affinity", affinity);
        int place = places.nextSetBit(0);
        if (places.cardinality() > 1) {
            draft.note(gpu + ": NUMA affinity " + affinity + ": the first is taken for the place of its cores");
        }
        draft.place(place);
        if (!row.place(0).isEmpty()) {
            draft.cores(place, CpuSets.list(source, row.line(), gpu + " CPU affinity", row.place(0)));
        }
        return place;
    }

    private static void links(HardwareSource source, NodeDraft draft, TopoMatrix matrix, List<String> gpus) {
        for (int from = 0; from < gpus.size(); from++) {
            for (int to = from + 1; to < gpus.size(); to++) {
                String path = matrix.between(gpus.get(from), gpus.get(to));
                Matcher nvlink = NVLINK.matcher(path);
                if (nvlink.matches()) {
                    draft.link(from, to, "NVLINK", Integer.parseInt(nvlink.group(1)) * speed(source, draft));
                } else if (!path.isEmpty() && !path.equals("N/A")) {
                    draft.link(from, to, path, 0);
                }
            }
        }
    }

    private static long speed(HardwareSource source, NodeDraft draft) {
        OptionalLong known = LinkSpeeds.ofModel(source.model());
        if (known.isEmpty()) {
            draft.note(
                    "the table names no model: NVLinks are taken for those of generations 2 to 4, 200 Gbit/s each in one "
                            + "direction; those of generation 5 carry twice as much (--model says which)");
        }
        return known.orElse(LinkSpeeds.NVLINK_2_TO_4);
    }

    private static void nics(NodeDraft draft, TopoMatrix matrix, List<String> gpus, List<SourceLine> lines) {
        Map<String, String> legend = new HashMap<>();
        for (SourceLine line : lines) {
            Matcher named = LEGEND.matcher(line.text());
            if (named.matches()) {
                legend.put(named.group(1), named.group(2));
            }
        }
        for (String nic :
                matrix.names().stream().filter(name -> !name.startsWith("GPU")).toList()) {
            String name = legend.getOrDefault(nic, nic);
            // The tool lists what has RDMA verbs; a name such as mlx5_0 is one of those.
            draft.spec()
                    .addNics(Nic.newBuilder()
                            .setName(name)
                            .setRdma(name.startsWith("mlx"))
                            .setNumaNode(placeOfNic(draft, matrix, gpus, nic)));
        }
    }

    private static int placeOfNic(NodeDraft draft, TopoMatrix matrix, List<String> gpus, String nic) {
        for (int gpu = 0; gpu < gpus.size(); gpu++) {
            String path = matrix.between(gpus.get(gpu), nic);
            if (!path.isEmpty() && !path.equals("SYS") && !path.equals("N/A")) {
                return draft.spec().getDevices(gpu).getNumaNode();
            }
        }
        return NodeDraft.UNKNOWN;
    }
}
