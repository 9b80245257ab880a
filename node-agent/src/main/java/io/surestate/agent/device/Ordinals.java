package io.surestate.agent.device;

import io.surestate.api.Limits;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which number belongs to which device, for as long as there are numbers: a device that was away gets its own back. Only when all are
 * given is that of the device taken that was away longest. Immutable.
 *
 * @param places by the device's key
 * @param generation grows with each change
 */
record Ordinals(Map<String, Place> places, long generation) {
    static final Ordinals NONE = new Ordinals(Map.of(), 0);

    /** @param seen generation in which the device was last there */
    record Place(int ordinal, long seen) {}

    Ordinals {
        places = Collections.unmodifiableMap(new TreeMap<>(places));
    }

    Optional<Integer> of(String key) {
        return Optional.ofNullable(places.get(key)).map(Place::ordinal);
    }

    /**
     * With a number for each of these devices, in their order.
     *
     * @param keys those that are there now
     * @param kept further devices whose numbers must not be taken
     * @return empty = there are not so many numbers
     */
    Optional<Ordinals> with(Collection<String> keys, Set<String> kept) {
        if (places.keySet().containsAll(keys)) {
            return Optional.of(this);
        }
        Map<String, Place> next = new TreeMap<>(places);
        keys.forEach(key -> next.computeIfPresent(key, (same, place) -> new Place(place.ordinal(), generation + 1)));
        Set<String> needed = new HashSet<>(keys);
        needed.addAll(kept);
        for (String key : keys) {
            if (!next.containsKey(key)) {
                Optional<Integer> free = free(next, needed);
                if (free.isEmpty()) {
                    return Optional.empty();
                }
                next.values().removeIf(place -> place.ordinal() == free.get());
                next.put(key, new Place(free.get(), generation + 1));
            }
        }
        return Optional.of(new Ordinals(next, generation + 1));
    }

    private static Optional<Integer> free(Map<String, Place> given, Set<String> needed) {
        int highest = given.values().stream().mapToInt(Place::ordinal).max().orElse(-1);
        if (highest + 1 < Limits.DEVICES_PER_NODE_MAX) {
            return Optional.of(highest + 1);
        }
        return given.entrySet().stream()
                .filter(entry -> !needed.contains(entry.getKey()))
                .map(Map.Entry::getValue)
                .min(Comparator.comparingLong(Place::seen).thenComparing(Place::ordinal))
                .map(Place::ordinal);
    }
}
