package io.surestate.cli.output;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Help.Column;
import picocli.CommandLine.Help.Column.Overflow;
import picocli.CommandLine.Help.TextTable;

/** Rows of cells under a heading, aligned, as wide as they need to be. One thread. */
public final class Table {
    private static final int GAP = 2;

    private final List<String[]> rows = new ArrayList<>();

    /** @param heading one cell a column; none = no heading line, columns as in the first row */
    public Table(String... heading) {
        if (heading.length > 0) {
            rows.add(heading.clone());
        }
    }

    /** Adds a row; an empty cell is shown as {@code -}. */
    public Table row(Object... cells) {
        rows.add(Arrays.stream(cells)
                .map(cell -> cell.toString().isEmpty() ? "-" : cell.toString())
                .toArray(String[]::new));
        return this;
    }

    /** Adds a row unless its value is empty. */
    public Table pair(String name, Object value) {
        return value.toString().isEmpty() ? this : row(name, value);
    }

    public int size() {
        return rows.size();
    }

    @Override
    public String toString() {
        if (rows.isEmpty()) {
            return "";
        }
        TextTable table = TextTable.forColumns(Help.defaultColorScheme(Ansi.OFF), columns());
        rows.forEach(table::addRowValues);
        return table.toString();
    }

    private Column[] columns() {
        int count = rows.get(0).length;
        Column[] columns = new Column[count];
        for (int i = 0; i < count; i++) {
            int column = i;
            int width =
                    rows.stream().mapToInt(row -> row[column].length()).max().orElse(0);
            columns[i] = new Column(width + GAP, 0, Overflow.TRUNCATE);
        }
        return columns;
    }
}
