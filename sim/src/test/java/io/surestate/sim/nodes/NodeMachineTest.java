package io.surestate.sim.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.Domain;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeSpec;
import io.surestate.scheduler.queue.Backfill;
import io.surestate.scheduler.queue.QueueOrder;
import io.surestate.sim.Progress;
import io.surestate.sim.batch.BatchReplay;
import io.surestate.sim.batch.EventOrder;
import io.surestate.sim.batch.JobLog;
import io.surestate.sim.batch.QueueOutcome;
import io.surestate.sim.batch.ReplaySetting;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NodeMachineTest {
    private static final GangForm PACKED = new GangForm("supernode", false);
    private static final GangForm REQUIRED = new GangForm("supernode", true);

    /** Supernodes of two nodes of two devices. */
    private static GangCluster supernodes(int count, DeviceKind kind) {
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < 2 * count; i++) {
            nodes.add(Node.newBuilder()
                    .setName("n" + i)
                    .setSpec(NodeSpec.newBuilder()
                            .addDomains(
                                    Domain.newBuilder().setLevel("supernode").setName("s" + i / 2))
                            .addDevices(Device.newBuilder().setOrdinal(0).setKind(kind))
                            .addDevices(Device.newBuilder().setOrdinal(1).setKind(kind)))
                    .build());
        }
        return GangCluster.of(nodes);
    }

    private static GangCluster supernodes(int count) {
        return supernodes(count, DeviceKind.DEVICE_KIND_GPU);
    }

    private record Played(QueueOutcome queue, GangOutcome gangs) {}

    private static Played play(GangCluster cluster, GangForm form, Backfill backfill, JobLog log) {
        ReplaySetting setting = new ReplaySetting(QueueOrder.FCFS, backfill, EventOrder.TOGETHER, cluster.total());
        NodeMachine machine = new NodeMachine(cluster, form, setting.predictsEnds());
        QueueOutcome queue =
                new BatchReplay(setting, machine, log, Progress.unseen()).play().outcome();
        return new Played(queue, machine.outcome());
    }

    @ParameterizedTest
    @EnumSource(Backfill.class)
    void gangsThatInsistOnNothingWaitAsIfAcceleratorsWereOnlyCounted(Backfill backfill) {
        JobLog.Builder jobs = new JobLog.Builder();
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 200; i++) {
            long run = random.nextLong(1, 101);
            jobs.add(random.nextInt(2_000), run, run + random.nextInt(50), 1 + random.nextInt(8), random.nextInt(3));
        }
        JobLog log = jobs.build();
        GangCluster cluster = supernodes(3);
        ReplaySetting counted = new ReplaySetting(QueueOrder.FCFS, backfill, EventOrder.TOGETHER, cluster.total());

        assertThat(play(cluster, PACKED, backfill, log).queue)
                .isEqualTo(
                        new BatchReplay(counted, log, Progress.unseen()).play().outcome());
    }

    @Test
    void tellsHowGangsLay() {
        // Two of three in one supernode; then four, in what is left of both: three neighbours, one pair of them in two
        // supernodes.
        JobLog log = new JobLog.Builder()
                .add(0, 10, 10, 2, -1)
                .add(1, 9, 9, 4, -1)
                .add(2, 8, 8, 2, -1)
                .build();

        Played played = play(supernodes(2), PACKED, Backfill.NONE, log);

        assertThat(played.gangs.level()).isEqualTo("supernode");
        assertThat(played.gangs.gangs()).isEqualTo(3);
        assertThat(played.gangs.inOneDomain()).isEqualTo(1);
        assertThat(played.queue.maxWaitSeconds()).isZero();
        assertThat(played.gangs.neighbourDistance()).isEqualTo(1 / 5.0);
        assertThat(played.gangs.fragmentation()).isZero();
    }

    @Test
    void oneTaskLeavesTheRestOfItsNodeInPieces() {
        JobLog log = new JobLog.Builder().add(0, 10, 10, 1, -1).build();

        GangOutcome gangs = play(supernodes(1), PACKED, Backfill.NONE, log).gangs;

        assertThat(gangs.gangs()).isZero();
        assertThat(gangs.fragmentation()).isEqualTo(1 / 3.0);
    }

    @Test
    void aGangThatInsistsWaitsForRoomInOneDomainAndOneThatCannotDoesNot() {
        // Three of four devices of each supernode are taken, then a gang of two comes, and later one of six, which no
        // supernode holds.
        JobLog log = new JobLog.Builder()
                .add(0, 100, 100, 3, -1)
                .add(1, 50, 50, 3, -1)
                .add(2, 10, 10, 2, -1)
                .add(200, 10, 10, 6, -1)
                .build();

        assertThat(play(supernodes(2), PACKED, Backfill.NONE, log).queue.maxWaitSeconds())
                .isZero();
        Played insisting = play(supernodes(2), REQUIRED, Backfill.NONE, log);
        assertThat(insisting.queue.maxWaitSeconds()).isEqualTo(49);
        assertThat(insisting.gangs.inOneDomain()).isEqualTo(3 / 4.0);
    }

    @Test
    void npusServeWhereThereAreNoGpus() {
        JobLog log = new JobLog.Builder().add(0, 10, 10, 4, -1).build();
        GangCluster cluster = supernodes(1, DeviceKind.DEVICE_KIND_NPU);

        assertThat(cluster.kind()).isEqualTo(DeviceKind.DEVICE_KIND_NPU);
        assertThat(play(cluster, REQUIRED, Backfill.NONE, log).gangs.gangs()).isEqualTo(1);
    }

    @Test
    void aJobThatIsWiderThanTheClusterIsRefused() {
        JobLog log = new JobLog.Builder().add(0, 10, 10, 5, -1).build();
        GangCluster cluster = supernodes(1);

        assertThatThrownBy(() -> play(cluster, PACKED, Backfill.NONE, log))
                .hasMessage("a job of 5 processors never fits on 4");
    }
}
