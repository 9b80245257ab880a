package io.surestate.statemachine.store;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Writes that take effect together, in their order. Built and used by one thread. */
public final class StoreBatch {
    /** One row is put, or deleted where the value is absent. */
    public sealed interface Write {
        Family family();

        ByteString key();
    }

    public record Put(Family family, ByteString key, ByteString value) implements Write {}

    public record Delete(Family family, ByteString key) implements Write {}

    private final List<Write> writes = new ArrayList<>();

    public void put(Family family, ByteString key, ByteString value) {
        writes.add(new Put(family, key, value));
    }

    public void delete(Family family, ByteString key) {
        writes.add(new Delete(family, key));
    }

    public List<Write> writes() {
        return Collections.unmodifiableList(writes);
    }
}
