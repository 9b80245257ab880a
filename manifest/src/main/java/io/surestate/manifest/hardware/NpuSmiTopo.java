package io.surestate.manifest.hardware;

import io.surestate.api.v1.DeviceKind;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * {@code npu-smi info -t topo}. The table names no NUMA places: each CPU affinity is made one, numbered by first core, and a note says
 * so.
 */
final class NpuSmiTopo implements HardwareReader {
    private static final Pattern CELL = Pattern.compile("HCCS(?:_SW)?|SYS|SIO|PHB|PXB|PIX|NA");

    @Override
    public Hardware read(HardwareSource source) {
        List<SourceLine> lines =
                SourceLine.of(source).stream().filter(line -> !line.isComment()).toList();
        TopoMatrix matrix = TopoMatrix.read(source, lines, "NPU", CELL);
        NodeDraft draft = new NodeDraft(source);
        List<String> npus =
                matrix.names().stream().filter(name -> name.startsWith("NPU")).toList();
        Map<String, BitSet> cores = new HashMap<>();
        matrix.rows().forEach((npu, row) -> {
            if (npu.startsWith("NPU") && !row.place(0).isEmpty()) {
                cores.put(npu, CpuSets.list(source, row.line(), npu + " CPU affinity", row.place(0)));
            }
        });
        Map<BitSet, Integer> places = places(draft, cores);
        for (String npu : npus) {
            BitSet near = cores.get(npu);
            draft.device()
                    .setKind(DeviceKind.DEVICE_KIND_NPU)
                    .setVendor("Huawei")
                    .setModel(source.model())
                    .setNumaNode(near == null ? NodeDraft.UNKNOWN : places.getOrDefault(near, NodeDraft.UNKNOWN));
            if (!matrix.rows().containsKey(npu)) {
                draft.note("the row of " + npu + " is missing: its place is unknown");
            }
        }
        links(source, draft, matrix, npus);
        return draft.build();
    }

    private static Map<BitSet, Integer> places(NodeDraft draft, Map<String, BitSet> cores) {
        TreeSet<BitSet> sorted = new TreeSet<>(Comparator.comparing(CpuSets::ascending, NpuSmiTopo::compare));
        sorted.addAll(cores.values());
        Map<BitSet, Integer> places = new HashMap<>();
        for (BitSet near : sorted) {
            draft.cores(places.size(), near);
            places.put(near, places.size());
        }
        if (!places.isEmpty()) {
            draft.note("the table names no NUMA places: each CPU affinity is taken for one, numbered by first core");
        }
        return places;
    }

    private static int compare(List<Integer> a, List<Integer> b) {
        for (int i = 0; i < Math.min(a.size(), b.size()); i++) {
            int order = a.get(i).compareTo(b.get(i));
            if (order != 0) {
                return order;
            }
        }
        return Integer.compare(a.size(), b.size());
    }

    private static void links(HardwareSource source, NodeDraft draft, TopoMatrix matrix, List<String> npus) {
        for (int from = 0; from < npus.size(); from++) {
            for (int to = from + 1; to < npus.size(); to++) {
                String path = matrix.between(npus.get(from), npus.get(to));
                boolean hccs = path.equals("HCCS");
                if (hccs && LinkSpeeds.ofModel(source.model()).isEmpty()) {
                    draft.note("the table names no model: the bandwidth of HCCS is unknown (--model says which)");
                }
                if (!path.isEmpty() && !path.equals("NA")) {
                    draft.link(
                            from,
                            to,
                            path,
                            hccs ? LinkSpeeds.ofModel(source.model()).orElse(0) : 0);
                }
            }
        }
    }
}
