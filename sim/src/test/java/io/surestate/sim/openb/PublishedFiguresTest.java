package io.surestate.sim.openb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.surestate.sim.Progress;
import io.surestate.sim.batch.SharedData;
import io.surestate.sim.trace.TraceBounds;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Two seeds over the published trace, where its files are at hand. */
class PublishedFiguresTest {
    private static final String NODES = "openb/openb_node_list_gpu_node.csv";
    private static final String PODS = "openb/openb_pod_list_default.csv";
    private static final List<Long> SEEDS = List.of(42L, 43L);

    private static PolicyResult run(String policy) throws IOException {
        List<OpenbPod> pods = OpenbReader.pods(SharedData.file(PODS), TraceBounds.ordinary());
        InflationExperiment experiment = new InflationExperiment(
                OpenbReader.nodes(SharedData.file(NODES), TraceBounds.ordinary()),
                pods,
                1.3,
                Random::new,
                System::nanoTime);
        return experiment.run(
                policy, new OpenbPolicies(pods).named(policy).orElseThrow(), SEEDS, Runnable::run, Progress.unseen());
    }

    @Test
    void fragmentationGradientDescentComesOutAsPublished() throws IOException {
        PolicyResult result = run("fgd");
        assertThat(result.mean(90)).isCloseTo(89.98, within(0.2));
        assertThat(result.mean(95)).isCloseTo(94.91, within(0.4));
        assertThat(result.mean(100)).isCloseTo(95.23, within(0.4));
        assertThat(result.mean(130)).isCloseTo(95.39, within(0.4));
    }

    @Test
    void bestFitComesOutAsPublished() throws IOException {
        assertThat(run("bestfit").mean(130)).isCloseTo(93.08, within(0.6));
    }

    @Test
    void ourPolicyKeepsItsPromise() throws IOException {
        PolicyResult result = run("surestate");
        assertThat(result.mean(95)).isGreaterThan(94.9);
        assertThat(result.mean(100)).isGreaterThan(96.1);
        assertThat(result.mean(130)).isGreaterThan(96.15);
    }
}
