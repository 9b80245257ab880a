package io.surestate.statemachine.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.surestate.api.v1.ConflictKind;
import io.surestate.api.v1.DeviceHealth;
import io.surestate.api.v1.DeviceReport;
import io.surestate.api.v1.NodeCondition;
import io.surestate.api.v1.NodeConditionList;
import io.surestate.api.v1.NodeStatus;
import io.surestate.api.v1.Oversubscription;
import io.surestate.api.v1.Quarantine;
import io.surestate.log.v1.Envelope;
import io.surestate.statemachine.fixture.Commands;
import io.surestate.statemachine.fixture.Plans;
import io.surestate.statemachine.fixture.TestCluster;
import io.surestate.statemachine.state.NodeEntry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeConditionsTest {
    private static final long HOUR = 3_600_000;

    private static TestCluster cluster() {
        TestCluster cluster = TestCluster.with();
        cluster.run(Commands.register(Plans.accelerated("n1", 3)));
        return cluster;
    }

    private static NodeEntry node(TestCluster cluster) {
        return cluster.state().node("n1").orElseThrow();
    }

    private static NodeStatus status(TestCluster cluster) {
        return node(cluster).node().getStatus();
    }

    private static void health(TestCluster cluster, long sequence, int ordinal, DeviceHealth health) {
        Envelope.Builder report = Commands.report("n1", cluster.epoch("n1"), sequence, List.of()).toBuilder();
        report.getReportTasksBuilder()
                .getReportBuilder()
                .addDevices(DeviceReport.newBuilder()
                        .setOrdinal(ordinal)
                        .setHealth(health)
                        .setReason("xid 79"));
        assertThat(cluster.run(report.build()).hasAccepted()).isTrue();
    }

    private static void take(TestCluster cluster, String name, int device) {
        assertThat(cluster.run(Plans.commit(Plans.named(name, Plans.on(cluster, "n1", Plans.device(device)))))
                        .getPlan()
                        .getConflictsCount())
                .isZero();
    }

    @Test
    void anUnhealthyDeviceLeavesTheFreePoolAtOnce() {
        try (TestCluster cluster = cluster()) {
            health(cluster, 1, 1, DeviceHealth.DEVICE_HEALTH_UNHEALTHY);
            assertThat(status(cluster).getQuarantined(0).getReason()).isEqualTo("xid 79");
            assertThat(node(cluster).free().devices().milli(1)).isZero();
            assertThat(cluster.run(Plans.commit(Plans.named("a", Plans.on(cluster, "n1", Plans.device(1)))))
                            .getPlan()
                            .getConflicts(0)
                            .getKind())
                    .isEqualTo(ConflictKind.CONFLICT_KIND_QUARANTINED);
            health(cluster, 2, 1, DeviceHealth.DEVICE_HEALTH_HEALTHY);
            assertThat(status(cluster).getQuarantinedCount()).isZero();
            assertThat(node(cluster).free().devices().milli(1)).isEqualTo(1_000);
        }
    }

    private static void flap(TestCluster cluster, long sequence) {
        health(cluster, sequence, 1, DeviceHealth.DEVICE_HEALTH_UNHEALTHY);
        health(cluster, sequence + 1, 1, DeviceHealth.DEVICE_HEALTH_HEALTHY);
    }

    private static boolean givenOut(TestCluster cluster) {
        return node(cluster).free().devices().milli(1) == 1_000;
    }

    private static void pass(TestCluster cluster, long millis) {
        cluster.advance(millis);
        cluster.run(Commands.tick());
    }

    @Test
    void aDeviceThatFallsIllAgainIsOnProbationTwiceAsLongEachTime() {
        try (TestCluster cluster = cluster()) {
            flap(cluster, 1);
            assertThat(givenOut(cluster)).isTrue();
            for (int time = 0; time < 3; time++) {
                flap(cluster, 3 + 2 * time);
                assertThat(status(cluster).getQuarantined(0).getUntilMillis())
                        .isEqualTo(cluster.timeMillis() + (HOUR << time));
                pass(cluster, (HOUR << time) - 1);
                assertThat(givenOut(cluster)).isFalse();
                pass(cluster, 1);
                assertThat(givenOut(cluster)).isTrue();
            }
            assertThat(status(cluster).getDeviceFalls(0).getFalls()).isEqualTo(4);
            pass(cluster, 24 * HOUR);
            flap(cluster, 9);
            assertThat(givenOut(cluster)).isTrue();
        }
    }

    @Test
    void fallingIllOnProbationBeginsItAnewAndWhatIsHeldIsWaitedFor() {
        try (TestCluster cluster = cluster()) {
            flap(cluster, 1);
            take(cluster, "a", 1);
            flap(cluster, 3);
            pass(cluster, HOUR / 2);
            flap(cluster, 5);
            pass(cluster, HOUR - 1);
            assertThat(status(cluster).getQuarantined(0).getServed()).isFalse();
            pass(cluster, 1);
            assertThat(status(cluster).getQuarantined(0).getServed()).isTrue();
            cluster.run(Plans.release("a"));
            assertThat(status(cluster).getQuarantinedCount()).isZero();
            assertThat(givenOut(cluster)).isTrue();
        }
    }

    @Test
    void aDeviceThatFlapsAllTheTimeChangesWhatIsGivenOutAtMostThreeTimesAnHour() {
        try (TestCluster cluster = cluster()) {
            List<Long> changes = new ArrayList<>();
            boolean before = true;
            for (long sequence = 1; cluster.timeMillis() < 1_000_000 + 30 * HOUR; sequence++) {
                health(
                        cluster,
                        sequence,
                        1,
                        sequence % 2 == 0 ? DeviceHealth.DEVICE_HEALTH_HEALTHY : DeviceHealth.DEVICE_HEALTH_UNHEALTHY);
                if (givenOut(cluster) != before) {
                    changes.add(cluster.timeMillis());
                    before = !before;
                }
                // Now and then it is well for long enough to be given out again.
                pass(cluster, sequence % 20 == 0 ? 9 * HOUR : 7_000);
                if (givenOut(cluster) != before) {
                    changes.add(cluster.timeMillis());
                    before = !before;
                }
            }
            assertThat(changes).hasSizeGreaterThan(4);
            for (int i = 3; i < changes.size(); i++) {
                assertThat(changes.get(i) - changes.get(i - 3)).isGreaterThanOrEqualTo(HOUR);
            }
        }
    }

    @Test
    void aRestartOfTheAgentForgetsNothingOfIt() {
        try (TestCluster cluster = cluster()) {
            flap(cluster, 1);
            cluster.run(Commands.register(Plans.accelerated("n1", 3)));
            flap(cluster, 1);
            assertThat(givenOut(cluster)).isFalse();
            cluster.run(Commands.register(Plans.accelerated("n1", 3)));
            assertThat(givenOut(cluster)).isFalse();
        }
    }

    @Test
    void aHelloMayBringTheReasonOfAQuarantine() {
        try (TestCluster cluster = TestCluster.with()) {
            var hello = Plans.accelerated("n1", 2);
            hello.getSpecBuilder().getDevicesBuilder(1).setHealth(DeviceHealth.DEVICE_HEALTH_UNHEALTHY);
            hello.addDevices(DeviceReport.newBuilder()
                    .setOrdinal(1)
                    .setHealth(DeviceHealth.DEVICE_HEALTH_UNHEALTHY)
                    .setReason("fell off"));
            cluster.run(Commands.register(hello));
            assertThat(status(cluster).getQuarantinedList())
                    .extracting(Quarantine::getOrdinal, Quarantine::getReason)
                    .containsExactly(tuple(1, "fell off"));
        }
    }

    @Test
    void conditionsAreThoseThatTheAgentToldLastAndKeepTheTimeFromWhichTheyHold() {
        try (TestCluster cluster = cluster()) {
            tell(cluster, 1, "discovery/a", "discovery/b");
            List<NodeCondition> first = status(cluster).getConditionsList();
            assertThat(first).extracting(NodeCondition::getName).containsExactly("discovery/a", "discovery/b");
            assertThat(first.get(0).getSinceMillis()).isPositive();
            tell(cluster, 2, "discovery/c", "discovery/b");
            assertThat(status(cluster).getConditionsList())
                    .extracting(NodeCondition::getName)
                    .containsExactly("discovery/b", "discovery/c");
            assertThat(status(cluster).getConditions(0)).isEqualTo(first.get(1));
            cluster.run(Commands.report("n1", cluster.epoch("n1"), 3, List.of()));
            assertThat(status(cluster).getConditionsCount()).isEqualTo(2);
            cluster.run(Commands.register(Plans.accelerated("n1", 3)
                    .setConditions(NodeConditionList.newBuilder().addConditions(condition("discovery/b")))));
            assertThat(status(cluster).getConditionsList()).containsExactly(first.get(1));
            tell(cluster, 1);
            assertThat(status(cluster).getConditionsCount()).isZero();
        }
    }

    private static NodeCondition condition(String name) {
        return NodeCondition.newBuilder().setName(name).setReason("of " + name).build();
    }

    private static void tell(TestCluster cluster, long sequence, String... names) {
        NodeConditionList.Builder conditions = NodeConditionList.newBuilder();
        for (String name : names) {
            conditions.addConditions(condition(name));
        }
        Envelope.Builder report = Commands.report("n1", cluster.epoch("n1"), sequence, List.of()).toBuilder();
        report.getReportTasksBuilder().getReportBuilder().setConditions(conditions);
        assertThat(cluster.run(report.build()).hasAccepted()).isTrue();
    }

    @Test
    void partitionsOfAnUnhealthyDeviceLeaveTheFreePoolWithIt() {
        try (TestCluster cluster = TestCluster.with()) {
            var hello = Plans.accelerated("n1", 2);
            for (int ordinal = 2; ordinal < 4; ordinal++) {
                hello.getSpecBuilder()
                        .addDevices(Commands.gpu(ordinal, "H100").toBuilder()
                                .setParentPlusOne(2)
                                .setPartition("1g"));
            }
            cluster.run(Commands.register(hello));
            health(cluster, 1, 1, DeviceHealth.DEVICE_HEALTH_UNHEALTHY);
            assertThat(status(cluster).getQuarantinedList())
                    .extracting(Quarantine::getOrdinal)
                    .containsExactly(1, 2, 3);
            assertThat(node(cluster).free().devices().totalMilli()).isEqualTo(1_000);
            health(cluster, 2, 1, DeviceHealth.DEVICE_HEALTH_HEALTHY);
            assertThat(status(cluster).getQuarantinedCount()).isZero();
        }
    }

    @Test
    void aHeldDeviceStaysQuarantinedUntilItIsReleasedAndHealthy() {
        try (TestCluster cluster = cluster()) {
            take(cluster, "a", 1);
            health(cluster, 1, 1, DeviceHealth.DEVICE_HEALTH_UNHEALTHY);
            health(cluster, 2, 1, DeviceHealth.DEVICE_HEALTH_HEALTHY);
            assertThat(status(cluster).getQuarantinedList())
                    .extracting(Quarantine::getOrdinal)
                    .containsExactly(1);
            cluster.run(Plans.release("a"));
            assertThat(status(cluster).getQuarantinedCount()).isZero();
            assertThat(node(cluster).free().devices().milli(1)).isEqualTo(1_000);
        }
    }

    @Test
    void aReleasedDeviceStaysQuarantinedWhileItIsUnhealthy() {
        try (TestCluster cluster = cluster()) {
            take(cluster, "a", 1);
            health(cluster, 1, 1, DeviceHealth.DEVICE_HEALTH_UNHEALTHY);
            cluster.run(Plans.release("a"));
            assertThat(node(cluster).free().devices().milli(1)).isZero();
            // A new registration tells the health again, and ends nothing by itself.
            var again = Plans.accelerated("n1", 3);
            again.getSpecBuilder().getDevicesBuilder(1).setHealth(DeviceHealth.DEVICE_HEALTH_UNHEALTHY);
            cluster.run(Commands.register(again));
            assertThat(node(cluster).free().devices().milli(1)).isZero();
            cluster.run(Commands.register(Plans.accelerated("n1", 3)));
            assertThat(node(cluster).free().devices().milli(1)).isEqualTo(1_000);
        }
    }

    @Test
    void aQuarantinedNominationIsWithdrawn() {
        try (TestCluster cluster = cluster()) {
            take(cluster, "old", 1);
            var old = cluster.state().named(Commands.TENANT, "old").get(0);
            cluster.run(Plans.commit(Plans.named("new", Plans.on(cluster, "n1", Plans.device(1)))
                    .setNominate(true)
                    .addEvictions(Plans.evict(old))));
            health(cluster, 1, 1, DeviceHealth.DEVICE_HEALTH_UNHEALTHY);
            assertThat(cluster.state().named(Commands.TENANT, "new")).isEmpty();
        }
    }

    @Test
    void aNodeThatComesBackWithLessIsOversubscribedWithTheExactList() {
        try (TestCluster cluster = cluster()) {
            take(cluster, "a", 1);
            take(cluster, "b", 2);
            cluster.run(Commands.register(Plans.accelerated("n1", 1)));
            assertThat(status(cluster).getOversubscribedList())
                    .containsExactly(over("device 1", 1_000, 0), over("device 2", 1_000, 0));
            assertThat(node(cluster).free().devices().milli(0)).isEqualTo(1_000);
            cluster.run(Plans.release("b"));
            assertThat(status(cluster).getOversubscribedList()).containsExactly(over("device 1", 1_000, 0));
            cluster.run(Commands.register(Plans.accelerated("n1", 2)));
            assertThat(status(cluster).getOversubscribedCount()).isZero();
            assertThat(node(cluster).free().devices().milli(1)).isZero();
            cluster.run(Plans.release("a"));
            assertThat(node(cluster).free().devices().milli(1)).isEqualTo(1_000);
        }
    }

    private static Oversubscription over(String what, long held, long capacity) {
        return Oversubscription.newBuilder()
                .setWhat(what)
                .setHeld(held)
                .setCapacity(capacity)
                .build();
    }
}
