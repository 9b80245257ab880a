package io.surestate.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surestate.manifest.config.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirTest {
    @TempDir
    private Path folder;

    private ServerConfig config(String cluster, String server, boolean initialized) {
        return ServerConfigTest.config(cluster, server, folder.resolve("data"), initialized);
    }

    private void bootstrapped() {
        DataDir.open(config("c1", "s1", false), true).close();
    }

    private void expectRefused(ServerConfig config, boolean bootstrap, String message) {
        assertThatThrownBy(() -> DataDir.open(config, bootstrap))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(message)
                .hasMessageContaining("(expected: ");
    }

    @Test
    void aNewFolderIsTakenOnlyWhenThatIsSaid() {
        expectRefused(config("c1", "s1", false), false, "is empty");
        bootstrapped();
        try (DataDir again = DataDir.open(config("c1", "s1", false), false)) {
            assertThat(again.folder()).isDirectory();
        }
    }

    @Test
    void aFolderInUseIsRefused() {
        try (DataDir held = DataDir.open(config("c1", "s1", false), true)) {
            expectRefused(config("c1", "s1", false), false, "in use");
            assertThat(held.folder()).isDirectory();
        }
    }

    @Test
    void theFolderOfAnotherClusterOrServerIsNeverOpened() {
        bootstrapped();
        expectRefused(config("c2", "s1", false), false, "belongs to c1/s1");
        expectRefused(config("c1", "s2", false), false, "belongs to c1/s1");
        expectRefused(config("c2", "s1", false), true, "belongs to c1/s1");
    }

    @Test
    void aUsedFolderIsNotBootstrappedAgain() {
        bootstrapped();
        expectRefused(config("c1", "s1", false), true, "already holds");
    }

    @Test
    void aVoterThatLostItsDiskDoesNotStartEvenWithBootstrap() {
        expectRefused(config("c1", "s1", true), false, "forgotten its votes");
        expectRefused(config("c1", "s1", true), true, "forgotten its votes");
    }

    @Test
    void aRefusalLeavesTheFolderUnlockedAndUnclaimed() {
        expectRefused(config("c1", "s1", false), false, "is empty");
        assertThat(Files.exists(folder.resolve("data/identity"))).isFalse();
        bootstrapped();
    }
}
