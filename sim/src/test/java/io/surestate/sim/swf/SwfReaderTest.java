package io.surestate.sim.swf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surestate.sim.trace.TraceBounds;
import io.surestate.sim.trace.TraceException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SwfReaderTest {
    private static final String LOG = """
            ; Version: 2.2
            ; MaxNodes: 4
            ; MaxProcs: 8

            1 10 -1 100 4 -1 -1 5 200 -1 1 7 1 -1 -1 -1 -1 -1
              2   11  0   50.9 2 50.00 -1 -1 -1 -1 1 -1 1 -1 -1 -1 -1 -1
            """;

    @TempDir
    private Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("log.swf"), text);
    }

    private static List<SwfJob> read(Path file, TraceBounds bounds) throws IOException {
        List<SwfJob> jobs = new ArrayList<>();
        try (SwfReader reader = SwfReader.open(file, bounds)) {
            for (Optional<SwfJob> job = reader.next(); job.isPresent(); job = reader.next()) {
                jobs.add(job.get());
            }
        }
        return jobs;
    }

    @Test
    void readsJobsAndTheSizeOfTheMachine() throws IOException {
        Path file = file(LOG);

        assertThat(read(file, TraceBounds.ordinary()))
                .containsExactly(new SwfJob(10, 100, 4, 5, 200, 7), new SwfJob(11, 50, 2, -1, -1, -1));
        try (SwfReader reader = SwfReader.open(file, TraceBounds.ordinary())) {
            reader.next();
            assertThat(reader.maxProcs()).hasValue(8);
        }
    }

    @Test
    void takesTheNodesWhereNoProcessorsAreTold() throws IOException {
        try (SwfReader reader = SwfReader.open(file("; MaxNodes: 4\n"), TraceBounds.ordinary())) {
            assertThat(reader.next()).isEmpty();
            assertThat(reader.maxProcs()).hasValue(4);
        }
    }

    @Test
    void readsGzip() throws IOException {
        Path file = folder.resolve("log.swf.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(LOG.getBytes(StandardCharsets.UTF_8));
        }

        assertThat(read(file, TraceBounds.ordinary())).hasSize(2);
    }

    @Test
    void refusesAGzipBombAndNamesTheBound() throws IOException {
        Path file = folder.resolve("bomb.swf.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            byte[] lines = ";\n".repeat(1 << 15).getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < 64; i++) {
                out.write(lines);
            }
        }

        assertThat(Files.size(file)).isLessThan(100_000);
        assertThatThrownBy(() -> read(file, new TraceBounds(1 << 20, 100, 100)))
                .isInstanceOf(TraceException.class)
                .hasMessageEndingWith("bomb.swf.gz: too large (expected: at most 1048576 bytes when unpacked)");
    }

    @Test
    void refusesADamagedGzipFile() throws IOException {
        Path file = folder.resolve("cut.swf.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(LOG.getBytes(StandardCharsets.UTF_8));
        }
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length / 2));

        assertThatThrownBy(() -> read(file, TraceBounds.ordinary()))
                .isInstanceOf(TraceException.class)
                .hasMessageEndingWith("cut.swf.gz: damaged gzip file (expected: a whole one)");
    }

    @Test
    void refusesTheBareBeginningOfAGzipFile() throws IOException {
        Path file = Files.write(folder.resolve("bare.swf.gz"), new byte[] {0x1f, (byte) 0x8b, 8});

        assertThatThrownBy(() -> read(file, TraceBounds.ordinary()))
                .isInstanceOf(TraceException.class)
                .hasMessageEndingWith("bare.swf.gz: damaged gzip file (expected: a whole one)");
    }

    @Test
    void refusesALineOrALogThatIsTooLong() throws IOException {
        Path file = file(LOG);

        assertThatThrownBy(() -> read(file, new TraceBounds(1 << 20, 20, 100)))
                .hasMessageEndingWith("log.swf:5: line too long (expected: at most 20 characters)");
        assertThatThrownBy(() -> read(file, new TraceBounds(1 << 20, 200, 1)))
                .hasMessageEndingWith("log.swf:6: too many rows (expected: at most 1)");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1 2 3 | :1: fields: \"3\" (expected: 18)",
                "1 x -1 1 1 -1 -1 1 1 -1 1 1 1 -1 -1 -1 -1 -1 | :1: submit: \"x\" (expected: a number)",
                "1 1 -1 -7 1 -1 -1 1 1 -1 1 1 1 -1 -1 -1 -1 -1 | :1: run: \"-7\" (expected: -1 to 1000000000000)",
                "1 1 -1 1 1 -1 -1 9223372036854775807 1 -1 1 1 1 -1 -1 -1 -1 -1 | :1: requested processors: \"9223372036854775807\"",
                "1 1 -1 1 1 -1 -1 1 99999999999999999999 -1 1 1 1 -1 -1 -1 -1 -1 | :1: requested time: \"99999999999999999999\"",
                "1 1 -1 NaN 1 -1 -1 1 1 -1 1 1 1 -1 -1 -1 -1 -1 | :1: run: \"NaN\" (expected: a number)",
                "; MaxProcs: many | :1: MaxProcs: \"many\" (expected: a number)",
                "; MaxProcs: 0 | :1: MaxProcs: \"0\" (expected: 1 to 1000000000)",
            })
    void namesFileLineFieldAndValueOfWhatIsWrong(String line, String message) throws IOException {
        Path file = file(line + "\n");

        assertThatThrownBy(() -> read(file, TraceBounds.ordinary()))
                .isInstanceOf(TraceException.class)
                .hasMessageContaining("log.swf" + message);
    }
}
