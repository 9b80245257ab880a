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

    /** One more row in the columns that are there, for what comes later; too long a cell pushes the rest to the right. */
    public String line(Object... cells) {
        int[] widths = widths();
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.length; i++) {
            String cell = cells[i].toString().isEmpty() ? "-" : cells[i].toString();
            line.append(cell).append(" ".repeat(Math.max(0, widths[i] - cell.length()) + GAP));
        }
        return line.toString().stripTrailing();
    }

    private int[] widths() {
        int[] widths = new int[rows.get(0).length];
        for (String[] row : rows) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], row[i].length());
            }
        }
        return widths;
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
        int[] widths = widths();
        Column[] columns = new Column[widths.length];
        for (int i = 0; i < widths.length; i++) {
            columns[i] = new Column(widths[i] + GAP, 0, Overflow.TRUNCATE);
        }
        return columns;
    }
}
