package io.surestate.agent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/** The machine's own name. */
final class Hostname {
    private Hostname() {}

    /** In lower case, as node names are. */
    static String of(Path proc) {
        try {
            return Files.readString(proc.resolve("sys/kernel/hostname")).strip().toLowerCase(Locale.ROOT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
