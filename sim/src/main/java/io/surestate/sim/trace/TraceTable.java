package io.surestate.sim.trace;

import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Comma-separated rows, one a line, under a heading; empty lines are passed over. Used by one thread. */
public final class TraceTable implements AutoCloseable {
    private static final ObjectReader CELLS =
            CsvMapper.builder().enable(CsvParser.Feature.WRAP_AS_ARRAY).build().readerFor(String[].class);

    private final TraceLines lines;
    private final List<String> columns;

    private TraceTable(TraceLines lines, List<String> columns) {
        this.lines = lines;
        this.columns = columns;
    }

    /**
     * Opens a file and reads its heading.
     *
     * @param required columns; others may be there too
     * @throws IOException the file cannot be read
     * @throws TraceException a column is missing
     */
    public static TraceTable open(Path file, TraceBounds bounds, String... required) throws IOException {
        TraceLines lines = TraceLines.open(file, bounds);
        try {
            return new TraceTable(lines, heading(file, lines, required));
        } catch (IOException | RuntimeException unusable) {
            lines.close();
            throw unusable;
        }
    }

    private static List<String> heading(Path file, TraceLines lines, String... required) throws IOException {
        String heading = lines.next()
                .orElseThrow(() -> new TraceException(file + ":1: header: empty (expected: a line of column names)"));
        List<String> columns =
                Arrays.stream(cells(lines, heading)).map(String::strip).toList();
        for (String column : required) {
            if (!columns.contains(column)) {
                throw lines.wrong(column, heading, "a column of this name");
            }
        }
        return columns;
    }

    /**
     * The next row; empty at the end.
     *
     * @throws TraceException the line is no row of this table
     */
    public Optional<TraceRow> next() throws IOException {
        Optional<String> line = lines.next();
        while (line.isPresent() && line.get().isBlank()) {
            line = lines.next();
        }
        return line.isEmpty() ? Optional.empty() : Optional.of(row(line.get()));
    }

    private TraceRow row(String line) {
        String[] cells = cells(lines, line);
        if (cells.length != columns.size()) {
            throw lines.wrong("line", line, columns.size() + " values, as the header has");
        }
        return lines.row(columns, cells);
    }

    private static String[] cells(TraceLines lines, String line) {
        if (line.indexOf('"') < 0) {
            return line.split(",", -1);
        }
        try (MappingIterator<String[]> rows = CELLS.readValues(line)) {
            return rows.nextValue();
        } catch (IOException broken) {
            throw lines.wrong("line", line, "comma-separated values, quotes closed in their line");
        }
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }
}
