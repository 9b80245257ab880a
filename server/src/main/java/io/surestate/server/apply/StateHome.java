package io.surestate.server.apply;

import io.surestate.statemachine.StateEngine;
import io.surestate.statemachine.store.RocksStateStore;
import io.surestate.statemachine.store.SnapshotFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Where the live database lies. It is a disposable cache: every opening starts anew from a snapshot, by hard links, and the log brings
 * the rest, so that a half-flushed database is never read.
 */
public final class StateHome {
    private final Path live;

    public StateHome(Path folder) {
        this.live = folder.resolve("live");
    }

    /** A fresh database with the snapshot's content; empty without one. */
    public StateEngine open(Optional<Path> snapshotFolder) {
        try {
            deleteTree(live);
            Files.createDirectories(live);
            if (snapshotFolder.isPresent()) {
                SnapshotFolder.link(snapshotFolder.get(), live);
            }
            return StateEngine.open(RocksStateStore.open(live));
        } catch (IOException cannotOpen) {
            throw new UncheckedIOException(cannotOpen);
        }
    }

    private static void deleteTree(Path root) throws IOException {
        if (!Files.exists(root)) {
            return;
        }
        try (Stream<Path> all = Files.walk(root)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
