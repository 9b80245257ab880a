package io.surestate.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One folder, one agent, one node id. An agent under another's node id would take that one's tasks for its own and end them. */
class DataDirTest {
    @TempDir
    private Path folder;

    private static String nodeId(Path path) throws IOException {
        try (DataDir dataDir = DataDir.open(path)) {
            return dataDir.nodeId(new Random());
        }
    }

    private static void copy(Path from, Path to, String file) throws IOException {
        Files.createDirectories(to);
        Files.copy(from.resolve(file), to.resolve(file));
    }

    @Test
    void theNodeIdStaysTheSame() throws IOException {
        Path home = folder.resolve("home");
        assertThat(nodeId(home)).isEqualTo(nodeId(home));
    }

    @Test
    void aCopyOfAFolderIsRefusedAndSaysWhatToDo() throws IOException {
        Path home = folder.resolve("home");
        Path copy = folder.resolve("copy");
        nodeId(home);
        copy(home, copy, "node-id");
        copy(home, copy, "made-at");
        assertThatIllegalStateException()
                .isThrownBy(() -> nodeId(copy))
                .withMessageContaining("holds the node id of " + home.toRealPath())
                .withMessageContaining("(expected: ")
                .withMessageContaining("remove node-id");
    }

    @Test
    void aNodeIdAloneIsACopyToo() throws IOException {
        Path home = folder.resolve("home");
        Path copy = folder.resolve("copy");
        nodeId(home);
        copy(home, copy, "node-id");
        assertThatIllegalStateException().isThrownBy(() -> nodeId(copy)).withMessageContaining("another folder");
    }

    @Test
    void twoAgentsCannotShareAFolder() throws IOException {
        try (DataDir held = DataDir.open(folder)) {
            assertThat(held.path()).isAbsolute();
            assertThatIllegalStateException()
                    .isThrownBy(() -> DataDir.open(folder))
                    .withMessageContaining("held by another agent");
        }
    }
}
