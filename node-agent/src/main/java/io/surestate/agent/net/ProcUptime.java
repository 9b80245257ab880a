package io.surestate.agent.net;

import io.surestate.agent.core.BootClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The boot clock as {@code /proc/uptime} shows it, to 10 ms: the same that the keeper reads. Safe between threads. */
public final class ProcUptime implements BootClock {
    private static final int MILLIS_PER_HUNDREDTH = 10;

    private final Path file;

    public ProcUptime(Path proc) {
        this.file = proc.resolve("uptime");
    }

    @Override
    public long nowMillis() {
        try {
            String text = Files.readString(file, StandardCharsets.US_ASCII);
            String seconds = text.substring(0, text.indexOf(' '));
            return Long.parseLong(seconds.replace(".", "")) * MILLIS_PER_HUNDREDTH;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
