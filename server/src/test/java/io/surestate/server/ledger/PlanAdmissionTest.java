package io.surestate.server.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.surestate.api.Limits;
import io.surestate.api.v1.Claim;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Eviction;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.LinkShare;
import io.surestate.api.v1.NicShare;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.Plan;
import io.surestate.server.api.Refused;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class PlanAdmissionTest {
    private static Plan.Builder good() {
        return Plan.newBuilder()
                .addGangs(GangPlacement.newBuilder()
                        .setName("mine")
                        .addPlacements(Placement.newBuilder()
                                .setNode("n1")
                                .setNodeEpoch(7)
                                .setClaim(Claim.newBuilder().addDevices(device(1, 1_000)))));
    }

    private static DeviceShare.Builder device(int ordinal, int milli) {
        return DeviceShare.newBuilder().setOrdinal(ordinal).setMilli(milli);
    }

    private static CoreShare.Builder core(int id, int milli) {
        return CoreShare.newBuilder().setCoreId(id).setMilli(milli);
    }

    private static void refused(String where, Consumer<GangPlacement.Builder> spoil) {
        Plan.Builder plan = good();
        spoil.accept(plan.getGangsBuilder(0));
        refusedPlan(where, plan, ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
    }

    private static void refusedClaim(String where, Claim.Builder claim) {
        refused("claim." + where, gang -> gang.getPlacementsBuilder(0).setClaim(claim));
    }

    private static void refusedPlan(String where, Plan.Builder plan, ErrorCode code) {
        Refused refused = catchThrowableOfType(Refused.class, () -> PlanAdmission.admit(plan.build()));
        assertThat(refused).as(where).isNotNull();
        assertThat(refused.detail().getCode()).isEqualTo(code);
        assertThat(refused.detail().getMessage()).contains(where).contains("expected: ");
    }

    @Test
    void sharesArePutInOrderAndDefaultsFilledIn() {
        Plan.Builder plan = good();
        plan.getGangsBuilder(0)
                .getPlacementsBuilder(0)
                .getClaimBuilder()
                .addDevices(device(0, 500))
                .addCores(core(5, 1_000))
                .addCores(core(2, 1));
        Plan admitted = PlanAdmission.admit(plan.build());
        assertThat(admitted.getScheduler()).isEqualTo("default");
        Claim claim = admitted.getGangs(0).getPlacements(0).getClaim();
        assertThat(claim.getDevicesList()).extracting(DeviceShare::getOrdinal).containsExactly(0, 1);
        assertThat(claim.getCoresList()).extracting(CoreShare::getCoreId).containsExactly(2, 5);
    }

    @Test
    void aThingTwiceInOneClaimIsNamed() {
        refusedClaim(
                "devices: 1 twice",
                Claim.newBuilder().addDevices(device(1, 500)).addDevices(device(1, 500)));
        refusedClaim("cores: 3 twice", Claim.newBuilder().addCores(core(3, 1)).addCores(core(3, 999)));
        NicShare nic = NicShare.newBuilder().setNic("eth0").setBitsPerSecond(1).build();
        refusedClaim("nics: eth0 twice", Claim.newBuilder().addNics(nic).addNics(nic));
    }

    @Test
    void amountsOutOfRangeAreNamed() {
        refusedClaim("devices.milli: 0", Claim.newBuilder().addDevices(device(1, 0)));
        refusedClaim("devices.milli: -1", Claim.newBuilder().addDevices(device(1, -1)));
        refusedClaim("devices.milli: 1001", Claim.newBuilder().addDevices(device(1, 1_001)));
        refusedClaim("devices.ordinal: -1", Claim.newBuilder().addDevices(device(-1, 1)));
        refusedClaim("cores.milli: 2147483647", Claim.newBuilder().addCores(core(1, Integer.MAX_VALUE)));
        refusedClaim("cores.coreId: -5", Claim.newBuilder().addCores(core(-5, 1)));
        refusedClaim("memoryBytes: -1", Claim.newBuilder().setMemoryBytes(-1));
        refusedClaim("memoryBytes: 9223372036854775807", Claim.newBuilder().setMemoryBytes(Long.MAX_VALUE));
        refusedClaim(
                "nics.bitsPerSecond: 0",
                Claim.newBuilder().addNics(NicShare.newBuilder().setNic("eth0")));
        refusedClaim(
                "links.fromOrdinal: 2 (expected: smaller than toOrdinal 1)",
                Claim.newBuilder()
                        .addLinks(LinkShare.newBuilder()
                                .setFromOrdinal(2)
                                .setToOrdinal(1)
                                .setBitsPerSecond(5)));
    }

    @Test
    void gangsThatAreNoneAreNamed() {
        refused("gangs[0]: empty", GangPlacement.Builder::clearPlacements);
        refused("neither jobUid nor name", GangPlacement.Builder::clearName);
        refused("jobUid and name", gang -> gang.setJobUid("x"));
        refused("gangs[0].name: \"Not A Name\"", gang -> gang.setName("Not A Name"));
        refused("placements[0].group: set", gang -> gang.getPlacementsBuilder(0).setGroup("worker"));
        refused(
                "placements[0].node: empty",
                gang -> gang.getPlacementsBuilder(0).clearNode());
        refused(
                "placements[0].nodeEpoch: 0",
                gang -> gang.getPlacementsBuilder(0).clearNodeEpoch());
        refused("evictions[0].allocation.node", gang -> gang.addEvictions(Eviction.getDefaultInstance()));
    }

    @Test
    void plansThatAreNoneAreNamed() {
        refusedPlan("plan.gangs: 0", Plan.newBuilder(), ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
        refusedPlan("plan.mode", good().setModeValue(9), ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
        refusedPlan("plan.seenRevision: -1", good().setSeenRevision(-1), ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
        refusedPlan("plan.scheduler", good().setScheduler("Un Known"), ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
    }

    @Test
    void oneMoreThanTenThousandIsTooLarge() {
        Plan.Builder plan = good();
        Placement placement = plan.getGangs(0).getPlacements(0);
        while (plan.getGangs(0).getPlacementsCount() <= Limits.PLACEMENTS_PER_PLAN_MAX) {
            plan.getGangsBuilder(0).addPlacements(placement);
        }
        refusedPlan("plan placements: 10001", plan, ErrorCode.ERROR_CODE_TOO_LARGE);
    }
}
