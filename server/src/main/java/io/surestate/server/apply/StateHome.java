package io.surestate.server.apply;

import io.surestate.server.disk.Folders;
import io.surestate.statemachine.StateEngine;
import io.surestate.statemachine.store.RocksStateStore;
import io.surestate.statemachine.store.SnapshotFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the live database lies. It is a disposable cache: every opening starts anew from a snapshot, by hard links, and the log brings
 * the rest, so that a half-flushed database is never read.
 */
public final class StateHome {
    private final Path parent;
    private final Path live;

    public StateHome(Path folder) {
        this.parent = folder;
        this.live = folder.resolve("live");
    }

    /** A fresh database with the snapshot's content; empty without one. */
    public StateEngine open(Optional<Path> snapshotFolder) {
        try {
            Folders.delete(live);
            Files.createDirectories(parent);
            snapshotFolder.ifPresent(snapshot -> SnapshotFolder.link(snapshot, live));
            return StateEngine.open(RocksStateStore.open(live));
        } catch (IOException cannotOpen) {
            throw new UncheckedIOException(cannotOpen);
        }
    }
}
