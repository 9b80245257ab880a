package io.surestate.manifest.hardware;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What pairs of devices can use of switches that they all hang on, while the others are silent: the smaller of their own sums. One thread. */
final class PairSwitch {
    private final Map<Integer, Long> sums = new HashMap<>();

    /** A device has so much more to the switches. */
    void attach(int device, long bitsPerSecond) {
        sums.merge(device, bitsPerSecond, Math::addExact);
    }

    /** Of two attached devices, the smaller ordinal first. */
    record Pair(int from, int to, long bitsPerSecond) {}

    List<Pair> pairs() {
        List<Integer> devices = sums.keySet().stream().sorted().toList();
        List<Pair> pairs = new ArrayList<>();
        for (int from = 0; from < devices.size(); from++) {
            for (int to = from + 1; to < devices.size(); to++) {
                long least = Math.min(sums.getOrDefault(devices.get(from), 0L), sums.getOrDefault(devices.get(to), 0L));
                pairs.add(new Pair(devices.get(from), devices.get(to), least));
            }
        }
        return pairs;
    }
}
