package io.surestate.bench;

import io.vavr.collection.TreeMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;
import org.pcollections.TreePMap;

/** Persistent maps as the state uses them: keys in the form of our ids. See docs/adr/0010. Run with {@code -prof gc} for bytes. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PersistentMapBench {
    @Param({"100000"})
    private int entries;

    private String[] keys = new String[0];
    private TreePMap<String, Long> sorted = TreePMap.empty();
    private HashPMap<String, Long> hashed = HashTreePMap.empty();
    private TreeMap<String, Long> redBlack = TreeMap.empty();
    private int next;

    @Setup
    public void fill() {
        keys = new String[entries];
        for (int i = 0; i < entries; i++) {
            keys[i] = String.format("%016x-%06x", 7L * i, i % 7);
            sorted = sorted.plus(keys[i], (long) i);
            hashed = hashed.plus(keys[i], (long) i);
            redBlack = redBlack.put(keys[i], (long) i);
        }
    }

    /** A key anywhere in the map; steps by a prime so that neighbours do not follow each other. */
    private String key() {
        next = (next + 7_919) % entries;
        return keys[next];
    }

    @Benchmark
    public Object sortedGet() {
        return sorted.getOrDefault(key(), 0L);
    }

    @Benchmark
    public Object sortedReplace() {
        return sorted.plus(key(), 1L);
    }

    @Benchmark
    public Object hashedGet() {
        return hashed.getOrDefault(key(), 0L);
    }

    @Benchmark
    public Object hashedReplace() {
        return hashed.plus(key(), 1L);
    }

    @Benchmark
    public Object redBlackGet() {
        return redBlack.getOrElse(key(), 0L);
    }

    @Benchmark
    public Object redBlackReplace() {
        return redBlack.put(key(), 1L);
    }
}
