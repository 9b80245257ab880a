package io.surestate.scheduler.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surestate.api.v1.Claim;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.Resources;
import io.surestate.scheduler.policy.BestFitPolicy;
import java.util.List;
import org.junit.jupiter.api.Test;

class PoolTest {
    private static final long GIB = Cluster.GIB;

    private static Shape shape(long cpuMilli, int gpus, int milli) {
        List<DeviceAsk> asks =
                gpus == 0 ? List.of() : List.of(new DeviceAsk(DeviceKind.DEVICE_KIND_GPU, List.of(), gpus, milli));
        return new Shape(cpuMilli, GIB, asks);
    }

    private static Pool pool(String... names) {
        return new Pool(List.of(names).stream()
                .map(name -> Cluster.node(name, true, 4, 16, 2, "a"))
                .toList());
    }

    private static Place place(Pool pool, Shape shape) {
        Place place = new Placer(pool, new BestFitPolicy()).best(shape).orElseThrow();
        pool.take(place.node(), place.fit());
        return place;
    }

    @Test
    void standsInTheOrderOfNamesAndFindsByName() {
        Pool pool = pool("b", "c", "a");
        assertThat(pool.node(0).name()).isEqualTo("a");
        assertThat(pool.indexOf("c")).hasValue(2);
        pool.remove("b");
        assertThat(pool.indexOf("c")).hasValue(1);
        pool.add(Cluster.node("aa", true, 4, 16, 2, "a"));
        assertThat(pool.indexOf("aa")).hasValue(1);
        assertThat(pool.indexOf("b")).isEmpty();
    }

    @Test
    void refusesANameTwice() {
        Pool pool = pool("a");
        assertThatThrownBy(() -> pool.add(Cluster.node("a", true, 1, 1, 0, "a")))
                .hasMessage("node: \"a\" (expected: a name that is not in the pool)");
        assertThatThrownBy(() -> pool("a", "a")).hasMessageContaining("each name once");
    }

    @Test
    void aPlacerFollowsNodesThatComeChangeAndGo() {
        Pool pool = pool("b");
        Placer placer = new Placer(pool, new BestFitPolicy());
        assertThat(placer.best(shape(0, 2, 1000)).orElseThrow().node()).isZero();
        pool.add(Cluster.node("a", true, 4, 16, 2, "a"));
        assertThat(pool.node(placer.best(shape(0, 2, 1000)).orElseThrow().node())
                        .name())
                .isEqualTo("a");
        pool.replace(Cluster.node("a", true, 0, 0, 0, "a"));
        assertThat(pool.node(placer.best(shape(0, 2, 1000)).orElseThrow().node())
                        .name())
                .isEqualTo("b");
        pool.remove("b");
        assertThat(placer.best(shape(0, 2, 1000))).isEmpty();
    }

    @Test
    void versionsGrowWithEachChange() {
        Pool pool = pool("a", "b");
        long before = pool.version(0);
        Place place = place(pool, shape(1000, 0, 0));
        assertThat(pool.version(place.node())).isGreaterThan(before);
        long taken = pool.version(place.node());
        pool.release(place.node(), place.fit());
        assertThat(pool.version(place.node())).isGreaterThan(taken);
    }

    @Test
    void aPlacerThatSleptThroughManyChangesIsRightAgain() {
        Pool pool = pool("a", "b");
        Placer placer = new Placer(pool, new BestFitPolicy());
        Shape whole = shape(0, 2, 1000);
        Place first = placer.best(whole).orElseThrow();
        for (int i = 0; i < 10_000; i++) {
            pool.take(first.node(), first.fit());
            pool.release(first.node(), first.fit());
        }
        pool.take(first.node(), first.fit());
        assertThat(placer.best(whole).orElseThrow().node()).isEqualTo(1 - first.node());
    }

    @Test
    void fractionsShareACoreAndWholeCoresAreOwnedAlone() {
        Pool pool = pool("a");
        Claim first = pool.node(0).claim(place(pool, shape(500, 0, 0)).fit());
        Claim second = pool.node(0).claim(place(pool, shape(1400, 0, 0)).fit());
        assertThat(first.getCoresList()).containsExactly(core(0, 500));
        assertThat(second.getCoresList()).containsExactly(core(0, 400), core(1, 1000));
        assertThat(new Placer(pool, new BestFitPolicy()).best(shape(2500, 0, 0)))
                .as("two whole cores and a tenth are free")
                .isEmpty();
        assertThat(new Placer(pool, new BestFitPolicy()).best(shape(2100, 0, 0)))
                .isPresent();
    }

    private static CoreShare core(int id, int milli) {
        return CoreShare.newBuilder().setCoreId(id).setMilli(milli).build();
    }

    @Test
    void sharesOfSeveralDevicesLieOnDistinctDevices() {
        Pool pool = pool("a");
        Claim claim = pool.node(0).claim(place(pool, shape(0, 2, 300)).fit());
        assertThat(claim.getDevicesList()).containsExactly(device(0, 300), device(1, 300));
        assertThat(new Placer(pool, new BestFitPolicy()).best(shape(0, 3, 100))).isEmpty();
    }

    private static DeviceShare device(int ordinal, int milli) {
        return DeviceShare.newBuilder().setOrdinal(ordinal).setMilli(milli).build();
    }

    @Test
    void aClaimIsReadBackAsTheFitThatItCameFrom() {
        Pool pool = pool("a");
        Fit fit = place(pool, shape(1500, 1, 250)).fit();
        assertThat(pool.node(0).fitOf(pool.node(0).claim(fit))).isEqualTo(fit);
        assertThatThrownBy(() -> pool.node(0)
                        .fitOf(Claim.newBuilder().addDevices(device(9, 1)).build()))
                .hasMessage("device: \"9\" (expected: a device of the node)");
    }

    @Test
    void aShapeIsWhatTheContractAsksFor() {
        Resources asked = Resources.newBuilder()
                .setCpuMillicores(1500)
                .setMemoryBytes(GIB)
                .addDevices(DeviceRequest.newBuilder()
                        .setKind(DeviceKind.DEVICE_KIND_GPU)
                        .setModel("H100")
                        .setCount(2))
                .build();
        assertThat(Shape.of(asked))
                .isEqualTo(new Shape(
                        1500, GIB, List.of(new DeviceAsk(DeviceKind.DEVICE_KIND_GPU, List.of("H100"), 2, 1000))));
    }

    @Test
    void refusesAmountsThatCannotBe() {
        assertThatThrownBy(() -> new Shape(-1, 0, List.of())).hasMessage("cpuMilli: \"-1\" (expected: at least 0)");
        assertThatThrownBy(() -> new DeviceAsk(DeviceKind.DEVICE_KIND_GPU, List.of(), 1, 1001))
                .hasMessage("milli: \"1001\" (expected: 1-1000)");
        assertThatThrownBy(() -> new DeviceAsk(DeviceKind.DEVICE_KIND_GPU, List.of(), 0, 1000))
                .hasMessage("count: \"0\" (expected: at least 1)");
    }
}
