package io.surestate.server.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.server.watch.WatchFeed;
import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.CommittedEntry;
import io.surestate.statemachine.StateEngine;
import io.surestate.statemachine.store.InMemoryStateStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ApplyLoopTest {
    private final WatchFeed feed = new WatchFeed();
    private final List<Throwable> faults = new ArrayList<>();
    private final ApplyLoop loop = new ApplyLoop(
            snapshot -> StateEngine.open(snapshot.map(InMemoryStateStore::open).orElseGet(InMemoryStateStore::new)),
            feed,
            faults::add);

    @TempDir
    private Path folder;

    private static List<Long> revisions(List<AppliedEntry> entries) {
        return entries.stream().map(AppliedEntry::revision).toList();
    }

    private Path snapshotAt(long index) {
        Path snapshot = folder.resolve("at-" + index);
        try (StateEngine ahead = StateEngine.open(new InMemoryStateStore())) {
            for (long i = 1; i <= index; i++) {
                ahead.apply(List.of(CommittedEntry.empty(1, i)));
            }
            ahead.checkpoint(snapshot);
        }
        return snapshot;
    }

    @Test
    void theViewIsPublishedBeforeTheProposerHears() {
        loop.restore(Optional.empty());
        List<Long> seen = new ArrayList<>();
        CompletableFuture<AppliedEntry> applied = loop.committed(CommittedEntry.empty(1, 1));
        applied.thenRun(() -> seen.add(loop.views().newest().revision()));
        loop.drain();
        assertThat(seen).containsExactly(1L);
    }

    @Test
    void entriesThatWaitedWhileASnapshotWasInstalledAreNotShownAgain() {
        loop.restore(Optional.empty());
        loop.committed(CommittedEntry.empty(1, 1));
        loop.suspend();
        loop.restore(Optional.of(snapshotAt(5)));
        loop.drain();
        assertThat(feed.after(5, 100))
                .hasValueSatisfying(entries -> assertThat(entries).isEmpty());
        loop.committed(CommittedEntry.empty(1, 6));
        loop.drain();
        assertThat(feed.after(4, 100)).isEmpty();
        assertThat(feed.after(5, 100))
                .hasValueSatisfying(entries -> assertThat(revisions(entries)).containsExactly(6L));
        assertThat(faults).isEmpty();
    }

    @Test
    void entriesThatArriveWhileNothingIsOpenFailWithoutAFault() {
        CompletableFuture<AppliedEntry> applied = loop.committed(CommittedEntry.empty(1, 1));
        loop.drain();
        assertThat(applied).isCompletedExceptionally();
        assertThat(faults).isEmpty();
    }

    @Test
    void anEntryThatCannotBeAppliedIsAFault() {
        loop.restore(Optional.of(snapshotAt(3)));
        CompletableFuture<AppliedEntry> applied = loop.committed(CommittedEntry.of(
                1,
                4,
                io.surestate.log.v1.LogEntry.newBuilder().setFeatureLevel(99).build()));
        loop.drain();
        assertThat(applied).isCompletedExceptionally();
        assertThat(faults).hasSize(1);
    }

    @Test
    void readersWaitForTheViewThatTheyNeed() {
        loop.restore(Optional.empty());
        var waiting = loop.views().atLeast(2);
        loop.committed(CommittedEntry.empty(1, 1));
        loop.drain();
        assertThat(waiting).isNotDone();
        loop.committed(CommittedEntry.empty(1, 2));
        loop.drain();
        assertThat(waiting.join().revision()).isEqualTo(2);
    }
}
