package io.surestate.cli.simulate;

import io.surestate.api.Names;
import io.surestate.cli.CliException;
import io.surestate.scheduler.policy.PolicyFactory;
import io.surestate.sim.Progress;
import io.surestate.sim.openb.InflationExperiment;
import io.surestate.sim.openb.OpenbNode;
import io.surestate.sim.openb.OpenbPod;
import io.surestate.sim.openb.OpenbPolicies;
import io.surestate.sim.openb.OpenbReader;
import io.surestate.sim.openb.PolicyResult;
import io.surestate.sim.trace.TraceBounds;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/** The same pods under several placement policies. Used by one thread; seeds run side by side. */
final class PlacementStudy {
    private static final List<String> POLICY_DEFAULT = List.of("surestate");

    private final Map<String, PolicyFactory> policies;
    private final InflationExperiment experiment;
    private final List<Long> seeds;

    private PlacementStudy(Map<String, PolicyFactory> policies, InflationExperiment experiment, List<Long> seeds) {
        this.policies = policies;
        this.experiment = experiment;
        this.seeds = seeds;
    }

    /** Checks what was asked for and reads both files. */
    static PlacementStudy of(TraceFile trace, List<String> policies, TraceFile cluster, PlacementOptions options) {
        double inflate = options.inflate();
        List<Long> seeds = options.seeds();
        List<OpenbNode> nodes =
                Reading.of(cluster.file(), () -> OpenbReader.nodes(cluster.file(), TraceBounds.ordinary()));
        List<OpenbPod> pods = Reading.of(trace.file(), () -> OpenbReader.pods(trace.file(), TraceBounds.ordinary()));
        if (nodes.stream().allMatch(node -> node.gpus() == 0) || pods.isEmpty()) {
            throw CliException.refused("INVALID_ARGUMENT: " + cluster.file() + ", " + trace.file()
                    + ": nothing to place (expected: nodes with GPUs, and pods)");
        }
        InflationExperiment direct = new InflationExperiment(nodes, pods, inflate, Random::new, System::nanoTime);
        return new PlacementStudy(
                named(policies.isEmpty() ? POLICY_DEFAULT : policies, new OpenbPolicies(pods)),
                options.ledger() ? direct.withLedger() : direct,
                seeds);
    }

    private static Map<String, PolicyFactory> named(List<String> names, OpenbPolicies known) {
        Map<String, PolicyFactory> policies = new LinkedHashMap<>();
        for (String word : names) {
            String name = word.strip();
            policies.put(
                    name,
                    known.named(name)
                            .orElseThrow(() -> CliException.usage(
                                    Names.message("--policy", name, String.join(", ", known.names())))));
        }
        return policies;
    }

    /** How often the progress will be told of one step. */
    long steps() {
        return (long) InflationExperiment.STEPS_PER_RUN * policies.size() * seeds.size();
    }

    List<PolicyResult> run(ThreadFactory threads, Progress progress) {
        ExecutorService side = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors(), threads);
        try {
            return policies.entrySet().stream()
                    .map(policy -> experiment.run(policy.getKey(), policy.getValue(), seeds, side, progress))
                    .toList();
        } finally {
            side.shutdownNow();
        }
    }
}
