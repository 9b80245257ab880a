package io.surestate.agent.keeper;

import io.surestate.agent.process.Launcher;
import io.surestate.agent.process.ProcessDriver;
import io.surestate.agent.process.ProcessId;
import io.surestate.agent.process.ProcessTable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keeper as a shell process in a session of its own. Agent thread only.
 *
 * <p>Agent and keeper share one small folder. The agent replaces {@code state}; the keeper writes {@code pid} once and {@code beat},
 * the time it saw, every round. Each agent process starts a keeper of its own version; the older one leaves when it finds another's
 * number in {@code pid}, so that there is no moment without one.
 */
public final class ProcessKeeper implements Keeper {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessKeeper.class);
    private static final long BEAT_MILLIS_MAX = 3_000;
    private static final long RELAUNCH_MILLIS = 2_000;

    private final Settings settings;
    private final ProcessTable table;
    private final Path script;
    private final long lastDeadlineMillis;
    private boolean launched;
    private long launchedMillis;
    private long beatMillis;

    /**
     * Where the keeper works and what it is told.
     *
     * @param folder of the keeper alone
     * @param tasksDir the tasks' folders
     * @param nodeId part of each task's token
     * @param agent this process
     * @param own whether the agent starts it; false = a service manager does
     */
    public record Settings(Path folder, Path tasksDir, String nodeId, String bootId, ProcessId agent, boolean own) {}

    public ProcessKeeper(Settings settings, ProcessTable table) {
        this.settings = settings;
        this.table = table;
        try {
            Files.createDirectories(settings.folder());
            script = Launcher.install(ProcessKeeper.class, "keeper.sh", settings.folder());
            List<String> before = stateOfThisBoot();
            lastDeadlineMillis = before.isEmpty() ? 0 : Long.parseLong(before.get(0));
            write(lastDeadlineMillis, before.stream().skip(2).toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private List<String> stateOfThisBoot() throws IOException {
        Path boot = settings.folder().resolve("boot");
        boolean same = text(boot).filter(settings.bootId()::equals).isPresent();
        if (!same) {
            for (String name : List.of("state", "beat", "pid")) {
                Files.deleteIfExists(settings.folder().resolve(name));
            }
            Files.writeString(boot, settings.bootId() + "\n");
        }
        Path state = settings.folder().resolve("state");
        return Files.exists(state) ? Files.readAllLines(state, StandardCharsets.UTF_8) : List.of();
    }

    @Override
    public long lastDeadlineMillis() {
        return lastDeadlineMillis;
    }

    @Override
    public boolean alive(long nowMillis) {
        boolean wanted = !launched || (!isHealthy(nowMillis) && nowMillis - launchedMillis >= RELAUNCH_MILLIS);
        if (settings.own() && wanted) {
            launch(nowMillis);
        }
        return isHealthy(nowMillis);
    }

    private void launch(long nowMillis) {
        if (launched) {
            LOG.warn("event=keeper-restarted beat_millis={}", beatMillis);
        }
        launched = true;
        launchedMillis = nowMillis;
        try {
            Launcher.launch(script, List.of(settings.folder().toAbsolutePath().toString()));
        } catch (IOException e) {
            LOG.error("event=keeper-start-failed error=\"{}\"", e.toString());
        }
    }

    private boolean isHealthy(long nowMillis) {
        // The keeper writes its beat in place: what is read in the middle of that is no number.
        text(settings.folder().resolve("beat")).flatMap(ProcessKeeper::number).ifPresent(beat -> beatMillis = beat);
        boolean running = text(settings.folder().resolve("pid"))
                .flatMap(ProcessId::parse)
                .filter(table::isRunning)
                .isPresent();
        return running && nowMillis - beatMillis < BEAT_MILLIS_MAX;
    }

    @Override
    public void update(long deadlineMillis, List<GuardedTask> tasks) {
        List<String> lines = tasks.stream()
                .map(task -> ProcessDriver.token(task.allocationId(), task.epoch(), settings.nodeId()) + " "
                        + settings.tasksDir().toAbsolutePath().resolve(task.allocationId()))
                .toList();
        try {
            write(deadlineMillis, lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void write(long deadlineMillis, List<String> tasks) throws IOException {
        StringBuilder text = new StringBuilder();
        text.append(deadlineMillis).append('\n');
        text.append(settings.agent().pid())
                .append(' ')
                .append(settings.agent().startTicks())
                .append('\n');
        tasks.forEach(task -> text.append(task).append('\n'));
        Path fresh = settings.folder().resolve("state.tmp");
        Files.writeString(fresh, text);
        Files.move(
                fresh,
                settings.folder().resolve("state"),
                StandardCopyOption.ATOMIC_MOVE,
                StandardCopyOption.REPLACE_EXISTING);
    }

    private static Optional<String> text(Path file) {
        try {
            String text = Files.readString(file, StandardCharsets.US_ASCII);
            return text.endsWith("\n") ? Optional.of(text.strip()) : Optional.empty();
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<Long> number(String text) {
        try {
            return Optional.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
