package io.surestate.agent.output;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputPartsTest {
    @TempDir
    Path folder;

    @Test
    void readsAcrossParts() throws IOException {
        part(0, "0123456789");
        part(1, "abc");
        assertThat(all(0)).isEqualTo("0123456789abc");
        assertThat(all(8)).isEqualTo("89abc");
        assertThat(all(-4)).isEqualTo("9abc");
        assertThat(all(-100)).isEqualTo("0123456789abc");
        assertThat(all(13)).isEmpty();
    }

    @Test
    void beginsWithTheOldestByteThatIsKept() throws IOException {
        part(3, "0123456789");
        part(4, "abc");
        OutputTail tail = tail(5);
        assertThat(tail.next().map(OutputParts.Piece::offset)).contains(30L);
        assertThat(all(5)).isEqualTo("0123456789abc");
        assertThat(all(-2)).isEqualTo("bc");
    }

    @Test
    void goesOnWhereTheOutputGrew() throws IOException {
        part(0, "abc");
        OutputTail tail = tail(0);
        assertThat(tail.next().map(p -> p.data().toStringUtf8())).contains("abc");
        assertThat(tail.next()).isEmpty();
        part(0, "abcdef");
        assertThat(tail.next().map(p -> p.data().toStringUtf8())).contains("def");
    }

    @Test
    void nothingIsWrittenYet() throws IOException {
        assertThat(tail(-10).next()).isEmpty();
        assertThat(new OutputParts(folder.resolve("none"), "stdout").exists()).isFalse();
    }

    private OutputTail tail(long offset) {
        return new OutputTail(new OutputParts(folder, "stdout", 10), offset);
    }

    private String all(long offset) throws IOException {
        StringBuilder text = new StringBuilder();
        OutputTail tail = tail(offset);
        for (Optional<OutputParts.Piece> piece = tail.next(); piece.isPresent(); piece = tail.next()) {
            text.append(piece.get().data().toStringUtf8());
        }
        return text.toString();
    }

    private void part(int number, String text) throws IOException {
        Files.writeString(folder.resolve(String.format("stdout.%09d", number)), text);
    }
}
