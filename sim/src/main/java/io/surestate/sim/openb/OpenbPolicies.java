package io.surestate.sim.openb;

import io.surestate.scheduler.policy.FragmentationPolicy;
import io.surestate.scheduler.policy.Policies;
import io.surestate.scheduler.policy.PolicyFactory;
import io.surestate.scheduler.pool.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The policies of the experiment by name: the scheduler's own, except that {@code fgd} is told the whole trace beforehand, as it was where
 * its figures come from. {@code fgd-learned} is the same policy learning from arrivals, as all others do. Immutable.
 */
public final class OpenbPolicies {
    private static final String TOLD = "fgd";
    private static final String LEARNED = "fgd-learned";

    private final Policies policies = new Policies();
    private final List<Shape> workload;

    /** For one trace: all pods that will arrive. */
    public OpenbPolicies(List<OpenbPod> pods) {
        workload = pods.stream().map(OpenbPod::shape).toList();
    }

    /** Ascending. */
    public List<String> names() {
        List<String> names = new ArrayList<>(policies.names());
        names.add(LEARNED);
        return names.stream().sorted().toList();
    }

    /** What makes the policy of that name, or empty. */
    public Optional<PolicyFactory> named(String name) {
        return switch (name) {
            case TOLD -> Optional.of((pool, random) -> new FragmentationPolicy(workload));
            case LEARNED -> policies.named(TOLD);
            default -> policies.named(name);
        };
    }
}
