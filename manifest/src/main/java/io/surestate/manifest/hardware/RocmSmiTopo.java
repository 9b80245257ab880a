package io.surestate.manifest.hardware;

import io.surestate.api.Limits;
import io.surestate.api.v1.DeviceKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code rocm-smi --showtopo}. Two GPUs have a link where the table of link types names one and the weight is that of one hop; the table
 * of hops is not used, because it says 1 for every XGMI pair, also over another GPU.
 */
final class RocmSmiTopo implements HardwareReader {
    private static final Pattern TITLE = Pattern.compile("=+ (.*?) =+");
    private static final Pattern NUMA = Pattern.compile("GPU\\[([0-9]{1,4})\\]\\s*: \\(Topology\\) Numa Node: (\\S+)");
    private static final String WEIGHTS = "Weight between two GPUs";
    private static final String TYPES = "Link Type between two GPUs";
    private static final int WEIGHT_OF_XGMI_HOP = 15;

    /** Cells by row. */
    private record Matrix(List<List<String>> rows) {
        String at(int from, int to) {
            return rows.get(from).get(to);
        }
    }

    @Override
    public Hardware read(HardwareSource source) {
        Map<String, List<SourceLine>> sections = sections(source);
        Matrix types =
                matrix(source, TYPES, sections.getOrDefault(TYPES, List.of()), Pattern.compile("XGMI|PCIE|0|N/A"));
        Matrix weights =
                matrix(source, WEIGHTS, sections.getOrDefault(WEIGHTS, List.of()), Pattern.compile("[0-9]{1,6}"));
        int count = types.rows().size();
        if (weights.rows().size() != count) {
            throw source.problem(
                    WEIGHTS + ": " + weights.rows().size() + " GPUs (expected: " + count + ", as in " + TYPES + ")");
        }
        NodeDraft draft = new NodeDraft(source);
        Map<Integer, Integer> places = places(source, count, sections.getOrDefault("Numa Nodes", List.of()));
        for (int gpu = 0; gpu < count; gpu++) {
            int place = places.getOrDefault(gpu, NodeDraft.UNKNOWN);
            draft.device()
                    .setKind(DeviceKind.DEVICE_KIND_GPU)
                    .setVendor("AMD")
                    .setModel(source.model())
                    .setNumaNode(place);
            if (place == NodeDraft.UNKNOWN) {
                draft.note("GPU" + gpu + ": its NUMA place is unknown");
            } else {
                draft.place(place);
            }
        }
        links(source, draft, types, weights);
        return draft.build();
    }

    private static Map<String, List<SourceLine>> sections(HardwareSource source) {
        Map<String, List<SourceLine>> sections = new HashMap<>();
        List<SourceLine> current = new ArrayList<>();
        for (SourceLine line : SourceLine.of(source)) {
            Matcher title = TITLE.matcher(line.text().strip());
            if (title.matches()) {
                current = new ArrayList<>();
                sections.put(title.group(1), current);
            } else if (!line.isBlank() && !line.isComment()) {
                current.add(line);
            }
        }
        return sections;
    }

    private static Matrix matrix(HardwareSource source, String title, List<SourceLine> lines, Pattern cell) {
        if (lines.isEmpty()) {
            throw source.problem("no section \"" + title + "\" (expected: the output of rocm-smi --showtopo)");
        }
        List<String> columns = words(lines.get(0));
        if (columns.size() > Limits.DEVICES_PER_NODE_MAX || columns.size() != lines.size() - 1) {
            throw source.at(
                    lines.get(0).number(),
                    title + ": " + (lines.size() - 1) + " rows (expected: as many as columns, " + columns.size() + ")");
        }
        List<List<String>> rows = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            SourceLine line = lines.get(i + 1);
            List<String> words = words(line);
            if (!words.get(0).equals("GPU" + i) || words.size() != columns.size() + 1) {
                throw source.at(
                        line.number(), title, line.text().strip(), "GPU" + i + " and " + columns.size() + " cells");
            }
            List<String> cells = words.subList(1, words.size());
            for (String value : cells) {
                if (!cell.matcher(value).matches()) {
                    throw source.at(
                            line.number(),
                            title,
                            value,
                            "one of " + cell.pattern().replace('|', ' '));
                }
            }
            rows.add(cells);
        }
        return new Matrix(List.copyOf(rows));
    }

    private static List<String> words(SourceLine line) {
        return Arrays.asList(line.text().strip().split("\\s+"));
    }

    private static Map<Integer, Integer> places(HardwareSource source, int count, List<SourceLine> lines) {
        Map<Integer, Integer> places = new HashMap<>();
        for (SourceLine line : lines) {
            Matcher numa = NUMA.matcher(line.text().strip());
            if (numa.matches()) {
                int gpu = Amounts.whole(source, line.number(), "GPU", numa.group(1), count - 1);
                String place = numa.group(2);
                if (!place.equals("-1") && !place.equals("N/A")) {
                    places.put(
                            gpu, Amounts.whole(source, line.number(), "Numa Node", place, Limits.CORES_PER_NODE_MAX));
                }
            }
        }
        return places;
    }

    private static void links(HardwareSource source, NodeDraft draft, Matrix types, Matrix weights) {
        OptionalLong speed = LinkSpeeds.ofModel(source.model());
        int count = types.rows().size();
        for (int from = 0; from < count; from++) {
            for (int to = from + 1; to < count; to++) {
                String type = types.at(from, to);
                if (!type.equals(types.at(to, from))) {
                    throw source.problem("GPU" + from + "-GPU" + to + ": " + type + " (expected: " + types.at(to, from)
                            + ", as on the other side of the diagonal)");
                }
                boolean xgmi = type.equals("XGMI");
                if (xgmi && Integer.parseInt(weights.at(from, to)) > WEIGHT_OF_XGMI_HOP) {
                    draft.note("GPU" + from + "-GPU" + to + ": weight " + weights.at(from, to)
                            + " is more than one XGMI hop: no link of their own");
                } else if (xgmi || type.equals("PCIE")) {
                    draft.link(from, to, type, xgmi ? speed.orElse(0) : 0);
                }
                if (xgmi && speed.isEmpty()) {
                    draft.note("the tables name no model: the bandwidth of XGMI is unknown (--model says which)");
                }
            }
        }
    }
}
