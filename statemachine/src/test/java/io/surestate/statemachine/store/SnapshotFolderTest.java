package io.surestate.statemachine.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import io.surestate.log.v1.SnapshotManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SnapshotFolderTest {
    private static final SnapshotManifest HEAD =
            SnapshotManifest.newBuilder().setTerm(2).setIndex(5).build();

    @TempDir
    Path folder;

    private Path snapshot = Path.of("");

    @BeforeEach
    void checkpoint() {
        snapshot = folder.resolve("snapshot");
        try (StateStore store = RocksStateStore.open(folder.resolve("live"))) {
            StoreBatch batch = new StoreBatch();
            batch.put(Family.LIVE, ByteString.copyFromUtf8("a"), ByteString.copyFromUtf8("1"));
            store.write(batch);
            store.checkpoint(snapshot);
        }
    }

    @Test
    void aFolderWithoutManifestIsNoSnapshot() {
        assertThat(SnapshotFolder.verify(snapshot)).isEmpty();
        assertThat(SnapshotFolder.peek(snapshot)).isEmpty();
        assertThat(SnapshotFolder.verify(folder.resolve("nowhere"))).isEmpty();
        assertThatThrownBy(() -> SnapshotFolder.link(snapshot, folder.resolve("live2")))
                .isInstanceOf(StoreException.class);
        assertThat(folder.resolve("live2")).doesNotExist();
    }

    @Test
    void aSealedFolderIsOneAndListsEveryFile() throws IOException {
        SnapshotManifest sealed = SnapshotFolder.seal(snapshot, HEAD);
        assertThat(SnapshotFolder.verify(snapshot)).contains(sealed);
        assertThat(sealed.getIndex()).isEqualTo(5);
        try (Stream<Path> files = Files.list(snapshot)) {
            assertThat(sealed.getFilesCount() + 1).isEqualTo((int) files.count());
        }
    }

    @Test
    void aManifestCutAnywhereIsNone() throws IOException {
        SnapshotFolder.seal(snapshot, HEAD);
        Path manifest = snapshot.resolve(SnapshotFolder.MANIFEST_NAME);
        byte[] whole = Files.readAllBytes(manifest);
        for (int length = 0; length < whole.length; length++) {
            Files.write(manifest, Arrays.copyOf(whole, length));
            assertThat(SnapshotFolder.peek(snapshot)).as("cut at %d", length).isEmpty();
        }
    }

    @Test
    void anAlteredFileIsFoundOut() throws IOException {
        SnapshotFolder.seal(snapshot, HEAD);
        Path table = tables().get(0);
        byte[] bytes = Files.readAllBytes(table);
        bytes[bytes.length / 2] ^= 1;
        Files.write(table, bytes);
        assertThat(SnapshotFolder.peek(snapshot)).isPresent();
        assertThat(SnapshotFolder.verify(snapshot)).isEmpty();
    }

    @Test
    void aMissingOrShortFileIsFoundOutWithoutReading() throws IOException {
        SnapshotFolder.seal(snapshot, HEAD);
        Path table = tables().get(0);
        byte[] bytes = Files.readAllBytes(table);
        Files.write(table, Arrays.copyOf(bytes, bytes.length - 1));
        assertThat(SnapshotFolder.peek(snapshot)).isEmpty();
        Files.delete(table);
        assertThat(SnapshotFolder.peek(snapshot)).isEmpty();
    }

    @Test
    void aFileNameThatLeavesTheFolderIsRefused() throws IOException {
        SnapshotManifest sealed = SnapshotFolder.seal(snapshot, HEAD);
        SnapshotManifest evil = sealed.toBuilder()
                .setFiles(0, sealed.getFiles(0).toBuilder().setName("../live/CURRENT"))
                .build();
        ByteString body = evil.toByteString();
        Files.write(
                snapshot.resolve(SnapshotFolder.MANIFEST_NAME),
                DiskFiles.sha256(body).concat(body).toByteArray());
        assertThat(SnapshotFolder.verify(snapshot)).isEmpty();
    }

    @Test
    void tablesAreLinkedAndTheRestIsCopied() throws IOException {
        SnapshotFolder.seal(snapshot, HEAD);
        Path live = folder.resolve("live2");
        SnapshotFolder.link(snapshot, live);
        String table = tables().get(0).getFileName().toString();
        assertThat(Files.isSameFile(snapshot.resolve(table), live.resolve(table)))
                .isTrue();
        assertThat(Files.isSameFile(snapshot.resolve("CURRENT"), live.resolve("CURRENT")))
                .isFalse();
        assertThat(live.resolve(SnapshotFolder.MANIFEST_NAME)).doesNotExist();
    }

    private List<Path> tables() throws IOException {
        try (Stream<Path> files = Files.list(snapshot)) {
            return files.filter(file -> file.toString().endsWith(".sst")).toList();
        }
    }
}
