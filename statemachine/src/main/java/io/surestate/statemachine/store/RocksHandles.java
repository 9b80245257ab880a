package io.surestate.statemachine.store;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Cache;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBufferManager;

/** An open RocksDB with all its native parts, each closed once and in the right order. Memory and open files are bounded. */
final class RocksHandles implements AutoCloseable {
    private static final long CACHE_BYTES = 64L << 20;
    private static final long WRITE_BUFFERS_BYTES = 48L << 20;
    private static final long WRITE_BUFFER_BYTES = 16L << 20;
    private static final int OPEN_FILES_MAX = 512;
    private static final int LOG_FILES_MAX = 4;
    private static final long LOG_FILE_BYTES = 4L << 20;
    private static final int BLOCK_BYTES = 16 << 10;
    private static final double BLOOM_BITS_PER_KEY = 10;

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final List<ColumnFamilyHandle> handles = new ArrayList<>();
    private final Map<Family, ColumnFamilyHandle> families = new EnumMap<>(Family.class);
    private final RocksDB db;

    private RocksHandles(Path folder) throws RocksDBException {
        loadLibrary(folder);
        try {
            db = owned(open(folder.toString()));
            handles.forEach(this::owned);
            for (Family family : Family.values()) {
                families.put(family, named(family));
            }
        } catch (RocksDBException failed) {
            close();
            throw failed;
        }
    }

    /**
     * Unpacks the native library beside the database, over the one of the run before. Left to itself it is unpacked under a new name in
     * the system's temporary folder, where each killed process leaves one behind.
     */
    private static void loadLibrary(Path folder) {
        Path beside = folder.toAbsolutePath().getParent();
        try {
            NativeLibraryLoader.getInstance().loadLibrary(String.valueOf(beside));
        } catch (IOException cannotUnpack) {
            throw new UncheckedIOException(cannotUnpack);
        }
        RocksDB.loadLibrary();
    }

    static RocksHandles at(Path folder) {
        try {
            return new RocksHandles(folder);
        } catch (RocksDBException failed) {
            throw new StoreException("open " + folder, failed);
        }
    }

    private ColumnFamilyHandle named(Family family) throws RocksDBException {
        for (ColumnFamilyHandle handle : handles) {
            if (family.label().equals(new String(handle.getName(), StandardCharsets.UTF_8))) {
                return handle;
            }
        }
        throw new RocksDBException("no family " + family.label());
    }

    private RocksDB open(String folder) throws RocksDBException {
        Cache cache = owned(new LRUCache(CACHE_BYTES));
        DBOptions options = owned(new DBOptions());
        options.setCreateIfMissing(true)
                .setCreateMissingColumnFamilies(true)
                .setAtomicFlush(true)
                .setAvoidFlushDuringShutdown(true)
                .setMaxOpenFiles(OPEN_FILES_MAX)
                .setMaxBackgroundJobs(2)
                .setKeepLogFileNum(LOG_FILES_MAX)
                .setMaxLogFileSize(LOG_FILE_BYTES)
                .setInfoLogLevel(InfoLogLevel.WARN_LEVEL)
                .setWriteBufferManager(owned(new WriteBufferManager(WRITE_BUFFERS_BYTES, cache)));
        ColumnFamilyOptions familyOptions = owned(new ColumnFamilyOptions());
        familyOptions
                .setWriteBufferSize(WRITE_BUFFER_BYTES)
                .setCompressionType(CompressionType.LZ4_COMPRESSION)
                .setTableFormatConfig(new BlockBasedTableConfig()
                        .setBlockCache(cache)
                        .setBlockSize(BLOCK_BYTES)
                        .setCacheIndexAndFilterBlocks(true)
                        .setFilterPolicy(owned(new BloomFilter(BLOOM_BITS_PER_KEY))));
        List<ColumnFamilyDescriptor> descriptors = new ArrayList<>();
        descriptors.add(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, familyOptions));
        for (Family family : Family.values()) {
            byte[] name = family.label().getBytes(StandardCharsets.UTF_8);
            descriptors.add(new ColumnFamilyDescriptor(name, familyOptions));
        }
        return RocksDB.open(options, folder, descriptors, handles);
    }

    RocksDB db() {
        return db;
    }

    ColumnFamilyHandle family(Family family) {
        return Optional.ofNullable(families.get(family)).orElseThrow();
    }

    @Override
    public void close() {
        while (!parts.isEmpty()) {
            try {
                parts.pop().close();
            } catch (Exception failed) {
                throw new StoreException("close", failed);
            }
        }
    }

    private <P extends AutoCloseable> P owned(P part) {
        parts.push(part);
        return part;
    }
}
