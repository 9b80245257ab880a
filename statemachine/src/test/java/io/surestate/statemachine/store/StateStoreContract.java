package io.surestate.statemachine.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.surestate.log.v1.SnapshotManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What every store must do. */
abstract class StateStoreContract {
    @TempDir
    Path folder;

    private StateStore store = new InMemoryStateStore();

    abstract StateStore open(Path live);

    @BeforeEach
    void openStore() throws IOException {
        store = open(Files.createDirectory(folder.resolve("live")));
    }

    @AfterEach
    void closeStore() {
        store.close();
    }

    @Test
    void keepsWhatWasWritten() {
        put("a", "1");
        assertThat(store.get(Family.LIVE, key("a"))).contains(key("1"));
        assertThat(store.get(Family.LIVE, key("b"))).isEmpty();
        assertThat(store.get(Family.META, key("a"))).isEmpty();
    }

    @Test
    void writesOfOneBatchTakeEffectInTheirOrder() {
        StoreBatch batch = new StoreBatch();
        batch.put(Family.LIVE, key("a"), key("1"));
        batch.put(Family.LIVE, key("a"), key("2"));
        batch.put(Family.LIVE, key("b"), key("1"));
        batch.delete(Family.LIVE, key("b"));
        store.write(batch);
        assertThat(store.get(Family.LIVE, key("a"))).contains(key("2"));
        assertThat(store.get(Family.LIVE, key("b"))).isEmpty();
    }

    @Test
    void scansAPrefixInUnsignedOrder() {
        put("a", "", "ab", "", "b", "", "b\u007f", "", "b\u00e9", "", "c", "");
        assertThat(scan("b", "")).containsExactly("b", "b\u007f", "b\u00e9");
        assertThat(scan("b", "b\u0001")).containsExactly("b\u007f", "b\u00e9");
        assertThat(scan("b", "a")).containsExactly("b", "b\u007f", "b\u00e9");
        assertThat(scan("", "")).hasSize(6);
        assertThat(scan("x", "")).isEmpty();
    }

    @Test
    void scansAPrefixBackwards() {
        put("a", "", "ba", "", "bb", "", "bc", "", "c", "");
        assertThat(scanBack("b", "")).containsExactly("bc", "bb", "ba");
        assertThat(scanBack("b", "bc")).containsExactly("bb", "ba");
        assertThat(scanBack("b", "bbx")).containsExactly("bb", "ba");
        assertThat(scanBack("", "")).containsExactly("c", "bc", "bb", "ba", "a");
        assertThat(scanBack("x", "")).isEmpty();
    }

    @Test
    void aScanStopsWhereItsVisitorWants() {
        put("a", "", "b", "", "c", "");
        List<ByteString> seen = new ArrayList<>();
        store.scan(Family.LIVE, ByteString.EMPTY, ByteString.EMPTY, (key, value) -> {
            seen.add(key);
            return seen.size() < 2;
        });
        assertThat(seen).containsExactly(key("a"), key("b"));
    }

    @Test
    void aSealedCheckpointOpensAsTheSameStore() throws IOException {
        put("a", "1", "b", "2");
        Path snapshot = folder.resolve("snapshot");
        store.checkpoint(snapshot);
        SnapshotFolder.seal(snapshot, SnapshotManifest.getDefaultInstance());
        put("a", "3", "c", "4");
        Path live = folder.resolve("live2");
        SnapshotFolder.link(snapshot, live);
        try (StateStore restored = open(live)) {
            assertThat(restored.get(Family.LIVE, key("a"))).contains(key("1"));
            assertThat(restored.get(Family.LIVE, key("b"))).contains(key("2"));
            assertThat(restored.get(Family.LIVE, key("c"))).isEmpty();
            StoreBatch batch = new StoreBatch();
            batch.put(Family.LIVE, key("d"), key("5"));
            restored.write(batch);
        }
        assertThat(SnapshotFolder.verify(snapshot)).isPresent();
    }

    @Test
    void aCheckpointDoesNotReplaceAFolder() throws IOException {
        Path snapshot = Files.createDirectory(folder.resolve("snapshot"));
        assertThatThrownBy(() -> store.checkpoint(snapshot)).isInstanceOf(RuntimeException.class);
    }

    @Test
    void aClosedStoreRefusesEveryCall() {
        store.close();
        assertThatThrownBy(() -> store.get(Family.LIVE, key("a"))).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> scan("", "")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> put("a", "1")).isInstanceOf(IllegalStateException.class);
        store.close();
    }

    private void put(String... keysAndValues) {
        StoreBatch batch = new StoreBatch();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            batch.put(Family.LIVE, key(keysAndValues[i]), key(keysAndValues[i + 1]));
        }
        store.write(batch);
    }

    private List<String> scan(String prefix, String from) {
        List<String> seen = new ArrayList<>();
        store.scan(Family.LIVE, key(prefix), key(from), (key, value) -> seen.add(key.toStringUtf8()));
        return seen;
    }

    private List<String> scanBack(String prefix, String before) {
        List<String> seen = new ArrayList<>();
        store.scanBack(Family.LIVE, key(prefix), key(before), (key, value) -> seen.add(key.toStringUtf8()));
        return seen;
    }

    private static ByteString key(String text) {
        return ByteString.copyFromUtf8(text);
    }
}
