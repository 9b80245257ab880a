package io.surestate.statemachine.store;

import com.google.protobuf.ByteString;
import java.nio.file.Path;
import java.util.Optional;

/** The store on disk. */
@SuppressWarnings("DoNotCallSuggester")
public final class RocksStateStore implements StateStore {
    private RocksStateStore() {}

    /** Opens or makes the store in a folder that no one else has open. */
    public static RocksStateStore open(Path folder) {
        throw new UnsupportedOperationException("not built yet: " + folder);
    }

    @Override
    public Optional<ByteString> get(Family family, ByteString key) {
        return Optional.empty();
    }

    @Override
    public void scan(Family family, ByteString prefix, ByteString from, RowVisitor visitor) {}

    @Override
    public void scanBack(Family family, ByteString prefix, ByteString before, RowVisitor visitor) {}

    @Override
    public void write(StoreBatch batch) {}

    @Override
    public void checkpoint(Path folder) {}

    @Override
    public void close() {}
}
