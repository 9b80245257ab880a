package io.surestate.statemachine.store;

import com.google.protobuf.ByteString;
import java.nio.file.Path;
import java.util.Optional;

/**
 * An ordered key-value store, written by atomic batches. One thread writes, any thread reads; {@link #close()} waits for readers,
 * and every call after it throws {@link IllegalStateException}. What was written is durable in a {@link #checkpoint} only.
 */
public interface StateStore extends AutoCloseable {
    /** Receives the rows of a scan. */
    interface RowVisitor {
        /** Returns whether to go on. */
        boolean row(ByteString key, ByteString value);
    }

    Optional<ByteString> get(Family family, ByteString key);

    /** Rows whose key begins with the prefix and is at or after {@code from}, ascending in unsigned byte order. */
    void scan(Family family, ByteString prefix, ByteString from, RowVisitor visitor);

    /** Rows whose key begins with the prefix and is before {@code before} (empty = from the last on), descending. */
    void scanBack(Family family, ByteString prefix, ByteString before, RowVisitor visitor);

    /** Writes all of it or nothing. */
    void write(StoreBatch batch);

    /** Makes a folder, not there before, from which the same rows can be opened again. Its files are not yet forced to disk. */
    void checkpoint(Path folder);

    @Override
    void close();
}
