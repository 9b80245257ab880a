package io.surestate.scheduler.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.DeviceKind;
import io.surestate.scheduler.pool.DeviceAsk;
import io.surestate.scheduler.pool.NodeRow;
import io.surestate.scheduler.pool.Placer;
import io.surestate.scheduler.pool.Pool;
import io.surestate.scheduler.pool.Shape;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SurestatePolicyTest {
    private static final long GIB = 1L << 30;

    private static NodeRow node(String name, long cores, String model, int... free) {
        NodeRow.Builder row = NodeRow.builder(name).flatCpu(cores * 1000).memory(512 * GIB);
        for (int ordinal = 0; ordinal < free.length; ordinal++) {
            row.device(ordinal, DeviceKind.DEVICE_KIND_GPU, model, free[ordinal]);
        }
        return row.build();
    }

    private static Shape shape(long cores, int milli, String... models) {
        DeviceAsk ask = new DeviceAsk(DeviceKind.DEVICE_KIND_GPU, List.of(models), 1, milli);
        return new Shape(cores * 1000, 4 * GIB, List.of(ask));
    }

    private static SurestatePolicy policy(Pool pool, int times, Shape... seen) {
        SurestatePolicy policy = new SurestatePolicy(pool, new SplittableRandom(1));
        for (int i = 0; i < times; i++) {
            for (Shape shape : seen) {
                policy.observe(shape);
            }
        }
        return policy;
    }

    private static String chosen(Pool pool, Policy policy, Shape shape) {
        return pool.node(new Placer(pool, policy).best(shape).orElseThrow().node())
                .name();
    }

    @Test
    void fillsAGapRatherThanBreakingAWholeDevice() {
        Pool pool = new Pool(List.of(node("a", 32, "m", 1000), node("b", 32, "m", 530)));
        Policy policy = policy(pool, 500, shape(8, 470), shape(8, 1000));
        assertThat(chosen(pool, policy, shape(8, 470))).isEqualTo("b");
    }

    @Test
    void leavesAGapToTheTasksThatFitItBest() {
        Pool pool = new Pool(List.of(node("a", 32, "m", 530), node("b", 32, "m", 350)));
        Policy policy = policy(pool, 500, shape(4, 530), shape(4, 350), shape(4, 320));
        assertThat(chosen(pool, policy, shape(4, 320))).isEqualTo("b");
    }

    @Test
    void sparesTheCpuThatDevicesNeed() {
        Pool pool = new Pool(List.of(node("a", 16, "m", 1000, 1000), node("b", 64, "m", 1000, 1000)));
        Policy policy = policy(pool, 500, shape(8, 1000));
        assertThat(chosen(pool, policy, new Shape(8_000, GIB, List.of()))).isEqualTo("b");
    }

    @Test
    void leavesAModelToTheTasksThatInsistOnIt() {
        Pool pool = new Pool(List.of(node("a", 32, "wanted", 1000), node("b", 32, "other", 1000)));
        Policy policy = policy(pool, 1_000, shape(8, 1000, "wanted"), shape(8, 1000));
        assertThat(chosen(pool, policy, shape(8, 1000))).isEqualTo("b");
    }

    @Test
    void givesThatModelTooWhenNothingElseIsFree() {
        Pool pool = new Pool(List.of(node("a", 32, "wanted", 1000)));
        Policy policy = policy(pool, 1_000, shape(8, 1000, "wanted"), shape(8, 1000));
        assertThat(chosen(pool, policy, shape(8, 1000))).isEqualTo("a");
    }

    @Test
    void steadyArrivalsVoidNoScoreAndOthersDo() {
        SurestatePolicy policy = policy(new Pool(List.of()), 8_200, shape(8, 470), shape(8, 1000));
        long generation = policy.generation();
        for (int i = 0; i < 5_000; i++) {
            policy.observe(shape(8, 470));
            policy.observe(shape(8, 1000));
        }
        assertThat(policy.generation()).isEqualTo(generation);
        for (int i = 0; i < 5_000; i++) {
            policy.observe(shape(2, 230));
        }
        assertThat(policy.generation()).isGreaterThan(generation);
    }

    @Test
    void copesWithMoreShapesThanItRemembers() {
        SurestatePolicy policy = new SurestatePolicy(new Pool(List.of()), new SplittableRandom(1));
        for (int i = 0; i < 6_000; i++) {
            policy.observe(shape(1 + i % 100, 1 + i % 999));
        }
        assertThat(policy.generation()).isPositive();
    }
}
