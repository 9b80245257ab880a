package io.surestate.statemachine.store;

import com.google.protobuf.ByteString;
import io.surestate.statemachine.state.Invariants;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** A store in memory, for simulations and tests. A checkpoint is one file with all rows. Any thread. */
public final class InMemoryStateStore implements StateStore {
    private static final String ROWS_NAME = "rows.bin";

    private final Map<Family, TreeMap<ByteString, ByteString>> rows = new EnumMap<>(Family.class);
    private boolean open = true;

    public InMemoryStateStore() {
        for (Family family : Family.values()) {
            rows.put(family, new TreeMap<>(ByteString.unsignedLexicographicalComparator()));
        }
    }

    /** Reads the rows of a checkpoint, or starts empty where the folder holds none. */
    public static InMemoryStateStore open(Path folder) {
        InMemoryStateStore store = new InMemoryStateStore();
        Path file = folder.resolve(ROWS_NAME);
        if (Files.exists(file)) {
            try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
                for (int left = in.readInt(); left > 0; left--) {
                    Family family = Family.labelled(in.readUTF());
                    store.family(family).put(read(in), read(in));
                }
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
        return store;
    }

    @Override
    public synchronized Optional<ByteString> get(Family family, ByteString key) {
        return Optional.ofNullable(family(family).get(key));
    }

    @Override
    public synchronized void scan(Family family, ByteString prefix, ByteString from, RowVisitor visitor) {
        ByteString start = ByteString.unsignedLexicographicalComparator().compare(from, prefix) > 0 ? from : prefix;
        visit(family(family).tailMap(start, true), prefix, visitor);
    }

    @Override
    public synchronized void scanBack(Family family, ByteString prefix, ByteString before, RowVisitor visitor) {
        NavigableMap<ByteString, ByteString> all = family(family);
        ByteString end = before.isEmpty() ? KeyRange.after(prefix) : before;
        NavigableMap<ByteString, ByteString> part = end.isEmpty() ? all : all.headMap(end, false);
        visit(part.descendingMap(), prefix, visitor);
    }

    @Override
    public synchronized void write(StoreBatch batch) {
        for (StoreBatch.Write write : batch.writes()) {
            if (write instanceof StoreBatch.Put put) {
                family(put.family()).put(put.key(), put.value());
            } else {
                family(write.family()).remove(write.key());
            }
        }
    }

    @Override
    public synchronized void checkpoint(Path folder) {
        try {
            Files.createDirectory(folder);
            try (DataOutputStream out =
                    new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(folder.resolve(ROWS_NAME))))) {
                out.writeInt(rows.values().stream().mapToInt(Map::size).sum());
                for (Family family : Family.values()) {
                    for (Map.Entry<ByteString, ByteString> row : family(family).entrySet()) {
                        out.writeUTF(family.label());
                        write(out, row.getKey());
                        write(out, row.getValue());
                    }
                }
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public synchronized void close() {
        open = false;
    }

    private NavigableMap<ByteString, ByteString> family(Family family) {
        Invariants.check(open, "the store is open");
        return Optional.ofNullable(rows.get(family)).orElseThrow();
    }

    private static void visit(Map<ByteString, ByteString> part, ByteString prefix, RowVisitor visitor) {
        for (Map.Entry<ByteString, ByteString> row : part.entrySet()) {
            if (!row.getKey().startsWith(prefix) || !visitor.row(row.getKey(), row.getValue())) {
                return;
            }
        }
    }

    private static void write(DataOutputStream out, ByteString bytes) throws IOException {
        out.writeInt(bytes.size());
        bytes.writeTo(out);
    }

    private static ByteString read(DataInputStream in) throws IOException {
        byte[] bytes = new byte[in.readInt()];
        in.readFully(bytes);
        return ByteString.copyFrom(bytes);
    }
}
