package io.surestate.sim.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surestate.sim.trace.TraceBounds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SwfLogsTest {
    private static final String REST = " -1 1 7 1 -1 -1 -1 -1 -1\n";
    private static final String HEADER = "; MaxProcs: 8\n";

    @TempDir
    private Path folder;

    private Path file(String text) throws IOException {
        return Files.writeString(folder.resolve("log.swf"), text);
    }

    private static String job(int id, long submit, long run, int allocated, int processors, long seconds) {
        return id + " " + submit + " -1 " + run + " " + allocated + " -1 -1 " + processors + " " + seconds + REST;
    }

    @Test
    void takesWholeLogsByTheirRules() throws IOException {
        Path file = file(HEADER
                + job(1, 5, 100, 4, 2, 50)
                + job(2, 6, 10, 3, -1, 60)
                + job(3, 7, 10, 9, 9, 60)
                + job(4, 8, 0, 1, 1, 60)
                + job(5, 9, 10, 1, 1, -1)
                + job(6, -1, 10, 1, 1, 60));

        Workload taken = SwfLogs.whole(file, OptionalInt.empty(), TraceBounds.ordinary());

        assertThat(taken.processors()).isEqualTo(8);
        assertThat(taken.dropped()).isEqualTo(4);
        assertThat(taken.log().size()).isEqualTo(2);
        assertThat(taken.log().processors(0)).isEqualTo(2);
        assertThat(taken.log().run(0)).isEqualTo(50);
        assertThat(taken.log().processors(1)).isEqualTo(3);
        assertThat(taken.log().user(1)).isEqualTo(7);
    }

    @Test
    void letsEachJobAskForWhatItTookWhereNobodyAsked() throws IOException {
        Workload taken =
                SwfLogs.whole(file(HEADER + job(1, 5, 100, 4, 2, -1)), OptionalInt.empty(), TraceBounds.ordinary());

        assertThat(taken.log().requested(0)).isEqualTo(100);
        assertThat(taken.assumptions()).singleElement().asString().contains("no job asked for a time");
    }

    @Test
    void takesSequencesByTheirRules() throws IOException {
        Path file = file(HEADER + job(1, 5, 100, 4, 2, 50) + job(2, 6, -1, 3, -1, -1) + job(3, 7, 0, 1, 1, 60));

        Workload taken = SwfLogs.forSequences(file, OptionalInt.of(16), TraceBounds.ordinary());

        assertThat(taken.processors()).isEqualTo(16);
        assertThat(taken.dropped()).isEqualTo(1);
        assertThat(taken.log().processors(0)).isEqualTo(4);
        assertThat(taken.log().run(0)).isEqualTo(100);
        assertThat(taken.log().run(1)).isEqualTo(10);
        assertThat(taken.log().requested(1)).isEqualTo(10);
    }

    @Test
    void refusesALogWithoutJobsOrMachine() throws IOException {
        Path empty = file(HEADER);
        assertThatThrownBy(() -> SwfLogs.whole(empty, OptionalInt.empty(), TraceBounds.ordinary()))
                .hasMessageContaining("log.swf: no job that can be replayed on 8 processors (expected: at least one)");

        Path bare = file(job(1, 5, 100, 4, 2, 50));
        assertThatThrownBy(() -> SwfLogs.whole(bare, OptionalInt.empty(), TraceBounds.ordinary()))
                .hasMessageContaining("log.swf: no MaxProcs or MaxNodes header");
    }

    @Test
    void refusesSequencesOfAShortLog() throws IOException {
        Workload taken = SwfLogs.forSequences(
                file(HEADER + job(1, 5, 100, 4, 2, 50)), OptionalInt.empty(), TraceBounds.ordinary());

        assertThatThrownBy(() -> Sequences.of(taken.log()))
                .hasMessage("jobs of the log: \"1\" (expected: at least 9874)");
    }
}
