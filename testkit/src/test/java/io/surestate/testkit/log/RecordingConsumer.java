package io.surestate.testkit.log;

import io.surestate.log.v1.SnapshotManifest;
import io.surestate.server.log.Leadership;
import io.surestate.server.log.LogConsumer;
import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.CommittedEntry;
import io.surestate.statemachine.store.SnapshotFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A state that is the list of what it was given: the time of each entry, which tests use as its content. Thread-safe. */
final class RecordingConsumer implements LogConsumer {
    private static final String FILE = "recorded.txt";

    private final List<Long> contents = new ArrayList<>();
    private final List<Long> handedSinceRestore = new ArrayList<>();
    private final List<Leadership> leaderships = new ArrayList<>();
    private final List<String> problems = new ArrayList<>();
    private long index;
    private long term;
    private long restoredAt;
    private boolean open;

    @Override
    public synchronized CompletableFuture<AppliedEntry> committed(CommittedEntry entry) {
        if (!open) {
            problems.add("entry " + entry.index() + " while closed");
        }
        if (entry.index() != index + 1 || entry.term() < term) {
            problems.add("entry " + entry.index() + " of term " + entry.term() + " after " + index + " of " + term);
        }
        index = entry.index();
        term = entry.term();
        handedSinceRestore.add(index);
        entry.entry().ifPresent(content -> contents.add(content.getTimeMillis()));
        long time = entry.entry().map(content -> content.getTimeMillis()).orElse(0L);
        return CompletableFuture.completedFuture(new AppliedEntry(index, time, List.of(), List.of()));
    }

    @Override
    public synchronized void leadershipChanged(Leadership leadership) {
        if (!leaderships.isEmpty() && leaderships.get(leaderships.size() - 1).term() > leadership.term()) {
            problems.add("term went back to " + leadership);
        }
        leaderships.add(leadership);
    }

    @Override
    public synchronized long restore(Optional<Path> snapshotFolder) {
        contents.clear();
        handedSinceRestore.clear();
        index = 0;
        term = 0;
        snapshotFolder.ifPresent(this::read);
        restoredAt = index;
        open = true;
        return index;
    }

    private void read(Path folder) {
        try {
            List<String> lines = Files.readAllLines(folder.resolve(FILE));
            term = Long.parseLong(lines.get(0));
            index = Long.parseLong(lines.get(1));
            lines.subList(2, lines.size()).forEach(line -> contents.add(Long.parseLong(line)));
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public synchronized SnapshotPosition snapshot(Path newFolder) {
        List<String> lines = new ArrayList<>(List.of(Long.toString(term), Long.toString(index)));
        contents.forEach(content -> lines.add(Long.toString(content)));
        try {
            Files.createDirectories(newFolder);
            Files.write(newFolder.resolve(FILE), lines);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        SnapshotFolder.seal(
                newFolder,
                SnapshotManifest.newBuilder().setTerm(term).setIndex(index).build());
        return new SnapshotPosition(term, index);
    }

    @Override
    public synchronized void suspend() {
        open = false;
    }

    @Override
    public synchronized void failed(Throwable cause) {
        if (open) {
            problems.add("failed: " + cause);
        }
    }

    synchronized List<Long> contents() {
        return List.copyOf(contents);
    }

    synchronized long index() {
        return index;
    }

    /** Index that the last restore began at; 0 = empty. */
    synchronized long restoredAt() {
        return restoredAt;
    }

    synchronized List<Long> handedSinceRestore() {
        return List.copyOf(handedSinceRestore);
    }

    synchronized List<String> problems() {
        return List.copyOf(problems);
    }

    synchronized @Nullable Leadership lastLeadership() {
        return leaderships.isEmpty() ? null : leaderships.get(leaderships.size() - 1);
    }
}
