package io.surestate.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServiceManagerTest {
    private static final Map<String, String> WATCHED = Map.of("NOTIFY_SOCKET", "/s", "WATCHDOG_USEC", "30000000");

    private final AtomicLong nanos = new AtomicLong();

    @TempDir
    Path folder;

    private Path said;

    @BeforeEach
    void nothingSaid() throws IOException {
        said = Files.createFile(folder.resolve("said"));
    }

    private ServiceManager manager(Map<String, String> environment) {
        return new ServiceManager(
                List.of("sh", "-c", "echo \"$*\" >>" + said, "systemd-notify"), environment, nanos::get);
    }

    @Test
    void tellsReadinessAndEachStatusOnce() throws IOException {
        try (ServiceManager manager = manager(WATCHED)) {
            manager.ready("no leader");
            manager.status("no leader");
            manager.status("follows s2");
            manager.status("follows s2");
            manager.stopping();
        }
        assertThat(Files.readAllLines(said))
                .containsExactly("--ready --status=no leader", "--status=follows s2", "STOPPING=1");
    }

    @Test
    void beatsThreeTimesInSystemdsPatienceHoweverOftenTheLoopComesRound() throws IOException {
        try (ServiceManager manager = manager(WATCHED)) {
            for (int second = 0; second < 30; second++) {
                manager.beat();
                manager.beat();
                nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
            }
        }
        assertThat(Files.readAllLines(said)).containsExactly("WATCHDOG=1", "WATCHDOG=1", "WATCHDOG=1");
    }

    @Test
    void saysNothingWhereNobodyListensAndNoBeatWhereNobodyWaits() throws IOException {
        try (ServiceManager manager = manager(Map.of())) {
            manager.ready("x");
            manager.beat();
        }
        try (ServiceManager manager = manager(Map.of("NOTIFY_SOCKET", "/s", "WATCHDOG_USEC", "soon"))) {
            manager.beat();
        }
        assertThat(said).isEmptyFile();
    }

    @Test
    void aFolderIsTakenOnce() throws IOException {
        Path own = folder.resolve("own");
        try (FolderLock first = FolderLock.take(own, "lock").orElseThrow()) {
            assertThat(first).isNotNull();
            assertThat(FolderLock.take(own, "lock")).isEmpty();
            assertThat(FolderLock.take(own, "another")).isPresent();
        }
        assertThat(FolderLock.take(own, "lock")).isPresent();
    }
}
