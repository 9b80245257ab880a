package io.surestate.agent.process;

import io.surestate.api.Limits;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shell process that forks the launchers of this agent's tasks, which costs far less than to start each from here. It owns
 * nothing: it ends with the agent, launchers and tasks live on. Safe between threads.
 */
final class Spawner implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Spawner.class);

    private final Path script;
    private final Path tasksDir;
    private Optional<Process> running = Optional.empty();
    private boolean closed;

    /** @param tasksDir absolute */
    Spawner(Path script, Path tasksDir) {
        this.script = script;
        this.tasksDir = tasksDir;
    }

    /** Has the task's launcher started, by another shell process if the last one is gone. Nothing tells here whether it gets to run. */
    synchronized void launch(TaskFolder folder, String incarnation) throws IOException {
        say(folder.id() + " " + folder.claim(incarnation).getFileName());
    }

    /** Lets go of launchers that have ended. */
    synchronized void tidy() {
        try {
            if (running.isPresent()) {
                say("");
            }
        } catch (IOException e) {
            LOG.warn("event=spawner-unheard error=\"{}\"", e.toString());
        }
    }

    private void say(String line) throws IOException {
        if (closed) {
            throw new IOException("spawner: closed (expected: no start after the end)");
        }
        OutputStream input = process().getOutputStream();
        input.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
        input.flush();
    }

    private Process process() throws IOException {
        Optional<Process> live = running.filter(Process::isAlive);
        if (live.isPresent()) {
            return live.get();
        }
        if (running.isPresent()) {
            LOG.warn("event=spawner-restarted");
        }
        Process fresh = Launcher.start(
                script,
                List.of(tasksDir.toString(), Long.toString(Limits.OUTPUT_FILE_BYTES_MAX)),
                ProcessBuilder.Redirect.PIPE);
        running = Optional.of(fresh);
        return fresh;
    }

    /** Ends the shell process once it has started what it was told to. */
    @Override
    public synchronized void close() {
        closed = true;
        try {
            if (running.isPresent()) {
                running.get().getOutputStream().close();
            }
        } catch (IOException e) {
            LOG.warn("event=spawner-unheard error=\"{}\"", e.toString());
        }
    }
}
