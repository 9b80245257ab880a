package io.surestate.manifest.hardware;

import io.surestate.api.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The table of {@code nvidia-smi topo -m} and {@code npu-smi info -t topo}: who reaches whom by what. Immutable once read. Rows may be
 * missing where the table was cut by hand; what stands on both sides of the diagonal must agree.
 *
 * @param names of the columns that are devices and NICs
 * @param rows by name
 */
record TopoMatrix(List<String> names, Map<String, Row> rows) {
    /**
     * One line of the table.
     *
     * @param cells one a column
     * @param places what follows: CPU affinity, NUMA affinity, NUMA place of the device's own memory; empty = not said
     */
    record Row(int line, List<String> cells, List<String> places) {
        /** Empty where nothing is said. */
        String place(int index) {
            String place = index < places.size() ? places.get(index) : "";
            return place.equals("N/A") ? "" : place;
        }
    }

    static final String SELF = "X";

    private static final Pattern GAP = Pattern.compile("\\t+|\\s{2,}");
    private static final Pattern BLANKS = Pattern.compile("\\s+");
    private static final Pattern PLACE_COLUMN = Pattern.compile("(CPU|NUMA) Affinity|GPU NUMA ID");

    TopoMatrix {
        names = List.copyOf(names);
        rows = Map.copyOf(rows);
    }

    /**
     * Finds and reads the table in a text.
     *
     * @param device how names of devices begin, such as {@code GPU}
     * @param cell what may stand in a cell besides {@link #SELF}
     */
    static TopoMatrix read(HardwareSource source, List<SourceLine> lines, String device, Pattern cell) {
        int at = header(lines, device)
                .orElseThrow(() ->
                        source.problem("no table (expected: a line of column names that begins with " + device + "0)"));
        List<String> names = names(source, lines.get(at));
        Map<String, Row> rows = new LinkedHashMap<>();
        for (SourceLine line : lines.subList(at + 1, lines.size())) {
            String name = BLANKS.split(line.text().strip(), 2)[0];
            if (line.isBlank() || (!names.contains(name) && !name.startsWith(device))) {
                break;
            }
            if (!names.contains(name)) {
                throw source.at(line.number(), "row", name, "one of the columns");
            }
            if (rows.put(name, row(source, line, names, cell)) != null) {
                throw source.at(line.number(), "row", name, "each row once");
            }
        }
        TopoMatrix matrix = new TopoMatrix(names, rows);
        matrix.check(source);
        return matrix;
    }

    private static Optional<Integer> header(List<SourceLine> lines, String device) {
        for (int i = 0; i < lines.size(); i++) {
            String text = lines.get(i).text().strip();
            if (text.startsWith(device + "0") && !lines.get(i).text().startsWith(device)) {
                return Optional.of(i);
            }
        }
        return Optional.empty();
    }

    private static List<String> names(HardwareSource source, SourceLine header) {
        List<String> names = Arrays.stream(GAP.split(header.text().strip()))
                .map(String::strip)
                .filter(name -> !PLACE_COLUMN.matcher(name).matches())
                .toList();
        if (names.stream().distinct().count() != names.size() || names.size() > Limits.DEVICES_PER_NODE_MAX) {
            throw source.at(
                    header.number(),
                    "columns: " + names.size() + " (expected: at most " + Limits.DEVICES_PER_NODE_MAX
                            + ", each name once)");
        }
        return names;
    }

    private static Row row(HardwareSource source, SourceLine line, List<String> names, Pattern cell) {
        boolean tabs = line.text().indexOf('\t') >= 0;
        String[] parts =
                tabs ? line.text().split("\t", -1) : BLANKS.split(line.text().strip());
        List<String> all = Arrays.stream(parts).map(String::strip).toList();
        if (all.size() <= names.size()) {
            throw source.at(
                    line.number(),
                    "row " + all.get(0) + ": " + (all.size() - 1) + " cells (expected: " + names.size() + ")");
        }
        List<String> cells = all.subList(1, 1 + names.size());
        for (int i = 0; i < cells.size(); i++) {
            boolean self = names.get(i).equals(all.get(0));
            String value = cells.get(i);
            if (self != value.equals(SELF) || (!self && !cell.matcher(value).matches())) {
                throw source.at(
                        line.number(),
                        all.get(0) + "-" + names.get(i),
                        value,
                        self
                                ? SELF + " on the diagonal"
                                : "one of " + cell.pattern().replace('|', ' '));
            }
        }
        return new Row(line.number(), List.copyOf(cells), places(all.subList(1 + names.size(), all.size())));
    }

    /** An empty column stands between the second and the third. */
    private static List<String> places(List<String> tail) {
        List<String> places = new ArrayList<>(tail.subList(0, Math.min(2, tail.size())));
        tail.stream().skip(2).filter(text -> !text.isEmpty()).findFirst().ifPresent(places::add);
        return List.copyOf(places);
    }

    private void check(HardwareSource source) {
        if (rows.isEmpty()) {
            throw source.problem("a table without rows (expected: one row for each column)");
        }
        Map<String, Integer> index = new HashMap<>();
        names.forEach(name -> index.put(name, index.size()));
        rows.forEach((name, row) -> {
            for (int i = 0; i < names.size(); i++) {
                Row other = rows.get(names.get(i));
                if (other != null) {
                    String back = other.cells().get(index.getOrDefault(name, 0));
                    if (!back.equals(row.cells().get(i))) {
                        throw source.at(
                                row.line(),
                                name + "-" + names.get(i),
                                row.cells().get(i),
                                back + ", as on the other side of the diagonal");
                    }
                }
            }
        });
    }

    /** What connects two; empty where the rows of both are missing. */
    String between(String a, String b) {
        Row row = rows.get(a);
        if (row != null) {
            return row.cells().get(names.indexOf(b));
        }
        Row other = rows.get(b);
        return other == null ? "" : other.cells().get(names.indexOf(a));
    }
}
