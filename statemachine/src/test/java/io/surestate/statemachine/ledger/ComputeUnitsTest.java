package io.surestate.statemachine.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.AcceleratorModel;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.PrecisionUnits;
import io.surestate.api.v1.Resources;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.SetAccelerator;
import io.surestate.statemachine.fixture.Commands;
import io.surestate.statemachine.fixture.Plans;
import io.surestate.statemachine.fixture.TestCluster;
import java.util.List;
import org.junit.jupiter.api.Test;

class ComputeUnitsTest {
    private static Envelope set(String model, long fp16, String... classes) {
        AcceleratorModel.Builder accelerator =
                AcceleratorModel.newBuilder().setModel(model).addAllClasses(List.of(classes));
        if (fp16 != 0) {
            accelerator.addUnits(
                    PrecisionUnits.newBuilder().setPrecision("fp16").setUnits(fp16));
        }
        return Envelope.newBuilder()
                .setSetAccelerator(SetAccelerator.newBuilder().setAccelerator(accelerator))
                .build();
    }

    private static DeviceRequest.Builder gpus() {
        return DeviceRequest.newBuilder().setKind(DeviceKind.DEVICE_KIND_GPU);
    }

    private static JobSpec job(DeviceRequest.Builder line) {
        JobSpec.Builder spec = Commands.gang(1, 0, 0);
        spec.getGroupsBuilder(0).getResourcesBuilder().addDevices(line);
        return spec.build();
    }

    /** A node with four H100 and a table of two models. */
    private static TestCluster cluster() {
        TestCluster cluster = TestCluster.with();
        cluster.run(Commands.register(Plans.accelerated("n1", 4)));
        cluster.run(set("H100", 1_000, "training"));
        cluster.run(set("A100", 300, "training", "old"));
        return cluster;
    }

    private static boolean placed(TestCluster cluster, String uid, int devices) {
        Placement.Builder placement =
                Placement.newBuilder().setGroup("worker").setNode("n1").setNodeEpoch(cluster.epoch("n1"));
        for (int i = 0; i < devices; i++) {
            placement.getClaimBuilder().addDevices(Plans.device(i).getDevices(0));
        }
        GangPlacement gang = GangPlacement.newBuilder()
                .setJobUid(uid)
                .setGeneration(1)
                .setAttempt(1)
                .addPlacements(placement)
                .build();
        return cluster.run(Commands.plan(gang)).getPlan().getConflictsList().isEmpty();
    }

    @Test
    void unitsAreMetByJustEnoughDevicesOfOneModel() {
        try (TestCluster cluster = cluster()) {
            Job job = cluster.submit("j", job(gpus().setUnits(2_500).setPrecision("fp16")));
            assertThat(placed(cluster, job.getUid(), 2)).isFalse();
            assertThat(placed(cluster, job.getUid(), 4)).isFalse();
            assertThat(placed(cluster, job.getUid(), 3)).isTrue();
        }
    }

    @Test
    void theLeastWastefulWayComesFirst() {
        try (TestCluster cluster = cluster()) {
            Resources asked = Resources.newBuilder()
                    .addDevices(gpus().setUnits(1_100).setPrecision("fp16"))
                    .build();
            assertThat(cluster.state().accelerators().alternatives(asked))
                    .extracting(way -> way.getDevices(0).getCount() + " "
                            + way.getDevices(0).getModel())
                    .containsExactly("4 A100", "2 H100");
        }
    }

    @Test
    void aClassIsAnyModelOfIt() {
        try (TestCluster cluster = cluster()) {
            Job old = cluster.submit("old", job(gpus().setCount(1).setDeviceClass("old")));
            assertThat(placed(cluster, old.getUid(), 1)).isFalse();
            Job training = cluster.submit("training", job(gpus().setCount(1).setDeviceClass("training")));
            assertThat(placed(cluster, training.getUid(), 1)).isTrue();
        }
    }

    @Test
    void withoutAModelThatServesThereIsNoWay() {
        try (TestCluster cluster = cluster()) {
            assertThat(cluster.state()
                            .accelerators()
                            .alternatives(job(gpus().setUnits(1).setPrecision("fp8"))))
                    .isEmpty();
            assertThat(cluster.state()
                            .accelerators()
                            .alternatives(job(gpus().setCount(1).setDeviceClass("none"))))
                    .isEmpty();
            assertThat(cluster.state()
                            .accelerators()
                            .alternatives(job(gpus().setUnits(Long.MAX_VALUE).setPrecision("fp16"))))
                    .isEmpty();
        }
    }

    @Test
    void allGroupsOfAJobAreOnOneModel() {
        try (TestCluster cluster = cluster()) {
            JobSpec.Builder two = job(gpus().setUnits(300).setPrecision("fp16")).toBuilder();
            two.addGroups(two.getGroups(0).toBuilder().setName("other"));
            assertThat(cluster.state().accelerators().alternatives(two.build()))
                    .extracting(way -> way.getGroupsList().stream()
                            .map(group -> group.getResources().getDevices(0).getModel())
                            .toList())
                    .containsExactly(List.of("A100", "A100"), List.of("H100", "H100"));
        }
    }

    @Test
    void aModelIsForgottenWhenNothingIsSaidOfItAndBadValuesAreRefused() {
        try (TestCluster cluster = cluster()) {
            cluster.run(set("A100", 0));
            assertThat(cluster.state().meta().getAcceleratorsList())
                    .extracting(AcceleratorModel::getModel)
                    .containsExactly("H100");
            TestCluster.assertRefused(cluster.run(set("", 5)), ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
            TestCluster.assertRefused(cluster.run(set("X", -5)), ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
            TestCluster.assertRefused(cluster.run(set("X", 5, "Not A Label")), ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
            for (int i = 1; i < 64; i++) {
                cluster.run(set("m" + i, 1));
            }
            TestCluster.assertRefused(cluster.run(set("m64", 1)), ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
            TestCluster.assertRefused(cluster.run(set("a\nb", 1)), ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
        }
    }
}
