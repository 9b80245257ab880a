package io.surestate.statemachine.store;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import io.surestate.statemachine.state.Invariants;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Supplier;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * The store on disk, in RocksDB. Its own write-ahead log is off: the replicated log is the one, and what is not in a checkpoint is
 * applied again from there.
 *
 * <p>Readers share a lock that closing takes alone, because a native handle used after its end kills the process.
 */
public final class RocksStateStore implements StateStore {
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    private final RocksHandles handles;
    private boolean open = true;

    private RocksStateStore(RocksHandles handles) {
        this.handles = handles;
    }

    /** Opens or makes the store in a folder that no one else has open. */
    public static RocksStateStore open(Path folder) {
        return new RocksStateStore(RocksHandles.at(folder));
    }

    @Override
    public Optional<ByteString> get(Family family, ByteString key) {
        return reading(() -> {
            try {
                return Optional.ofNullable(handles.db().get(handle(family), key.toByteArray()))
                        .map(UnsafeByteOperations::unsafeWrap);
            } catch (RocksDBException failed) {
                throw new StoreException("read", failed);
            }
        });
    }

    @Override
    public void scan(Family family, ByteString prefix, ByteString from, RowVisitor visitor) {
        ByteString start = ByteString.unsignedLexicographicalComparator().compare(from, prefix) > 0 ? from : prefix;
        reading(() -> {
            try (RocksIterator rows = handles.db().newIterator(handle(family))) {
                rows.seek(start.toByteArray());
                while (visit(rows, prefix, visitor)) {
                    rows.next();
                }
            }
            return true;
        });
    }

    @Override
    public void scanBack(Family family, ByteString prefix, ByteString before, RowVisitor visitor) {
        ByteString end = before.isEmpty() ? KeyRange.after(prefix) : before;
        reading(() -> {
            try (RocksIterator rows = handles.db().newIterator(handle(family))) {
                seekBefore(rows, end);
                while (visit(rows, prefix, visitor)) {
                    rows.prev();
                }
            }
            return true;
        });
    }

    @Override
    public void write(StoreBatch batch) {
        reading(() -> {
            try (WriteBatch rows = new WriteBatch();
                    WriteOptions options = new WriteOptions().setDisableWAL(true)) {
                for (StoreBatch.Write write : batch.writes()) {
                    if (write instanceof StoreBatch.Put put) {
                        rows.put(
                                handle(put.family()),
                                put.key().toByteArray(),
                                put.value().toByteArray());
                    } else {
                        rows.delete(handle(write.family()), write.key().toByteArray());
                    }
                }
                handles.db().write(options, rows);
            } catch (RocksDBException failed) {
                throw new StoreException("write", failed);
            }
            return true;
        });
    }

    @Override
    public void checkpoint(Path folder) {
        reading(() -> {
            List<ColumnFamilyHandle> all = new ArrayList<>();
            for (Family family : Family.values()) {
                all.add(handle(family));
            }
            try (FlushOptions flush = new FlushOptions().setWaitForFlush(true);
                    Checkpoint checkpoint = Checkpoint.create(handles.db())) {
                handles.db().flush(flush, all);
                checkpoint.createCheckpoint(folder.toString());
            } catch (RocksDBException failed) {
                throw new StoreException("checkpoint into " + folder, failed);
            }
            return true;
        });
    }

    @Override
    public void close() {
        lock.writeLock().lock();
        try {
            if (open) {
                open = false;
                handles.close();
            }
        } finally {
            lock.writeLock().unlock();
        }
    }

    private <R> R reading(Supplier<R> work) {
        lock.readLock().lock();
        try {
            Invariants.check(open, "the store is open");
            return work.get();
        } finally {
            lock.readLock().unlock();
        }
    }

    private ColumnFamilyHandle handle(Family family) {
        return handles.family(family);
    }

    private static void seekBefore(RocksIterator rows, ByteString end) {
        if (end.isEmpty()) {
            rows.seekToLast();
            return;
        }
        rows.seekForPrev(end.toByteArray());
        if (rows.isValid() && UnsafeByteOperations.unsafeWrap(rows.key()).equals(end)) {
            rows.prev();
        }
    }

    /** Returns whether there may be more. */
    private static boolean visit(RocksIterator rows, ByteString prefix, RowVisitor visitor) {
        if (!rows.isValid()) {
            try {
                rows.status();
            } catch (RocksDBException failed) {
                throw new StoreException("scan", failed);
            }
            return false;
        }
        ByteString key = UnsafeByteOperations.unsafeWrap(rows.key());
        return key.startsWith(prefix) && visitor.row(key, UnsafeByteOperations.unsafeWrap(rows.value()));
    }
}
