package io.surestate.scheduler.policy;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The policies that users can name. Immutable. */
public final class Policies {
    private final SortedMap<String, PolicyFactory> byName = new TreeMap<>();

    public Policies() {
        byName.put("random", (pool, random) -> new RandomPolicy(random));
        byName.put("bestfit", (pool, random) -> new BestFitPolicy());
        byName.put("dotprod", (pool, random) -> new DotProductPolicy());
        byName.put("gpu-packing", (pool, random) -> new PackingPolicy());
        byName.put("gpu-clustering", (pool, random) -> new ClusteringPolicy());
        byName.put("fgd", (pool, random) -> new FragmentationPolicy());
        byName.put("surestate", SurestatePolicy::new);
    }

    /** Ascending. */
    public List<String> names() {
        return List.copyOf(byName.keySet());
    }

    /** What makes the policy of that name, or empty. */
    public Optional<PolicyFactory> named(String name) {
        return Optional.ofNullable(byName.get(name));
    }
}
