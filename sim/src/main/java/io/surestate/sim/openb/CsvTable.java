package io.surestate.sim.openb;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A CSV file with a header line, read whole. Immutable. Bounded in bytes and rows; columns that nobody asks for are let through. */
final class CsvTable {
    /** Of one file. */
    static final long BYTES_MAX = 256L << 20;
    /** Of one file, its header not counted. */
    static final int ROWS_MAX = 1_000_000;

    private final Path file;
    private final List<String> header;
    private final List<Row> rows = new ArrayList<>();

    private CsvTable(Path file, List<String> header) {
        this.file = file;
        this.header = header;
    }

    static CsvTable read(Path file) throws IOException {
        if (Files.size(file) > BYTES_MAX) {
            throw new OpenbFormatException(file, 1, "file", Files.size(file) + " bytes", "at most " + BYTES_MAX);
        }
        CsvMapper mapper = CsvMapper.builder()
                .enable(CsvParser.Feature.WRAP_AS_ARRAY, CsvParser.Feature.SKIP_EMPTY_LINES)
                .build();
        try (BufferedReader in = Files.newBufferedReader(file, StandardCharsets.UTF_8);
                MappingIterator<String[]> lines =
                        mapper.readerFor(String[].class).readValues(in)) {
            return read(file, lines);
        } catch (JsonProcessingException broken) {
            long line = broken.getLocation() == null ? 0 : broken.getLocation().getLineNr();
            throw new OpenbFormatException(file, line, "line", "broken", "comma-separated values");
        } catch (CharacterCodingException broken) {
            throw new OpenbFormatException(file, 0, "file", "not text", "UTF-8");
        }
    }

    private static CsvTable read(Path file, MappingIterator<String[]> lines) throws IOException {
        if (!lines.hasNextValue()) {
            throw new OpenbFormatException(file, 1, "header", "", "a line of column names");
        }
        CsvTable table = new CsvTable(file, List.of(lines.nextValue()));
        while (lines.hasNextValue()) {
            String[] values = lines.nextValue();
            table.add(lines.getParser().currentTokenLocation().getLineNr(), values);
        }
        return table;
    }

    private void add(int line, String[] values) throws OpenbFormatException {
        if (values.length != header.size()) {
            String shown = String.join(",", Arrays.asList(values));
            throw new OpenbFormatException(file, line, "line", shown, header.size() + " values, as the header has");
        }
        if (rows.size() == ROWS_MAX) {
            throw new OpenbFormatException(file, line, "file", "more lines", "at most " + ROWS_MAX);
        }
        rows.add(new Row(line, values));
    }

    /** Refuses a file without one of these columns. */
    void require(String... columns) throws OpenbFormatException {
        for (String column : columns) {
            if (!header.contains(column)) {
                throw new OpenbFormatException(file, 1, column, String.join(",", header), "a column of this name");
            }
        }
    }

    boolean has(String column) {
        return header.contains(column);
    }

    List<Row> rows() {
        return List.copyOf(rows);
    }

    /** One line. */
    final class Row {
        private final int line;
        private final String[] values;

        private Row(int line, String[] values) {
            this.line = line;
            this.values = values;
        }

        /** As it stands; empty where the file has no such column. */
        String text(String column) {
            int at = header.indexOf(column);
            return at < 0 ? "" : values[at].strip();
        }

        /** Not empty. */
        String name(String column) throws OpenbFormatException {
            String value = text(column);
            if (value.isEmpty()) {
                throw wrong(column, value, "a name");
            }
            return value;
        }

        /** A whole number from 0 to that bound. */
        long amount(String column, long max) throws OpenbFormatException {
            String value = text(column);
            try {
                long amount = Long.parseLong(value);
                if (amount >= 0 && amount <= max) {
                    return amount;
                }
            } catch (NumberFormatException notANumber) {
                throw wrong(column, value, "a whole number, 0-" + max);
            }
            throw wrong(column, value, "0-" + max);
        }

        OpenbFormatException wrong(String column, String value, String expected) {
            return new OpenbFormatException(file, line, column, value, expected);
        }
    }
}
