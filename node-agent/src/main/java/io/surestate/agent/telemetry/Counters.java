package io.surestate.agent.telemetry;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the machine says of itself in one moment. Immutable.
 *
 * @param nanos of a clock that only goes forward
 * @param cores logical ones, at least 1
 * @param load threads that run or want to, mean of a minute; negative = unknown
 * @param celsius of the processor; 0 or not a number = unknown
 * @param nics by name
 */
record Counters(long nanos, int cores, double load, long memoryUsedBytes, double celsius, Map<String, Traffic> nics) {
    Counters {
        nics = Collections.unmodifiableMap(new TreeMap<>(nics));
    }

    /**
     * Of one NIC.
     *
     * @param received bytes since some moment; likewise sent
     * @param bitsPerSecond its speed; 0 = unknown
     */
    record Traffic(long received, long sent, long bitsPerSecond) {}
}
