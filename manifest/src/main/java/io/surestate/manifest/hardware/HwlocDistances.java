package io.surestate.manifest.hardware;

import io.surestate.api.Limits;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * hwloc's matrix {@code NVLinkBandwidth}, in MB/s of one direction. What several GPUs have to switches (any row that is no device)
 * becomes a link of each pair of them. One thread.
 */
final class HwlocDistances {
    private static final long BITS_PER_MB = 8_000_000L;
    private static final int VALUE_MAX = 100_000_000;
    private static final String PACKAGE = "Package:";

    private final HardwareSource source;
    private final NodeDraft draft;
    private final Map<String, Integer> ordinals;

    HwlocDistances(HardwareSource source, NodeDraft draft, Map<String, Integer> ordinals) {
        this.source = source;
        this.draft = draft;
        this.ordinals = ordinals;
    }

    void read(XmlElement topology) {
        topology.children().stream()
                .filter(matrix -> matrix.name().startsWith("distances2"))
                .filter(matrix -> matrix.attribute("name").equals("NVLinkBandwidth"))
                .forEach(this::matrix);
    }

    private void matrix(XmlElement matrix) {
        int count = Amounts.whole(
                source, matrix.line(), "nbobjs", matrix.attribute("nbobjs"), 2 * Limits.DEVICES_PER_NODE_MAX);
        String type = matrix.attribute("type");
        List<String> names = words(matrix, "indexes").stream()
                .map(index -> type.isEmpty() ? index : type + ":" + index)
                .toList();
        List<String> values = words(matrix, "u64values");
        if (names.size() != count || values.size() != count * count) {
            throw source.at(
                    matrix.line(),
                    "NVLinkBandwidth: " + names.size() + " objects, " + values.size() + " values (expected: " + count
                            + " and " + (long) count * count + ")");
        }
        PairSwitch switches = new PairSwitch();
        for (int row = 0; row < count; row++) {
            for (int column = 0; column < count; column++) {
                cell(matrix, names.get(row), names.get(column), values.get(row * count + column), switches);
            }
        }
        switches.pairs().forEach(pair -> draft.link(pair.from(), pair.to(), "NVLINK", pair.bitsPerSecond()));
    }

    private void cell(XmlElement matrix, String row, String column, String text, PairSwitch switches) {
        long bits = Amounts.whole(source, matrix.line(), "u64values", text, VALUE_MAX) * BITS_PER_MB;
        Integer from = ordinals.get(row);
        Integer to = ordinals.get(column);
        if (bits == 0 || from == null || from.equals(to)) {
            return;
        }
        if (to != null) {
            if (from < to) {
                draft.link(from, to, "NVLINK", bits);
            }
        } else if (!column.startsWith(PACKAGE)) {
            switches.attach(from, bits);
        }
    }

    private static List<String> words(XmlElement matrix, String child) {
        List<String> words = new ArrayList<>();
        matrix.all(child).forEach(part -> {
            for (String word : part.text().split("\\s+", -1)) {
                if (!word.isEmpty()) {
                    words.add(word);
                }
            }
        });
        return words;
    }
}
