package io.surestate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationRef;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.Claim;
import io.surestate.api.v1.ClusterMeta;
import io.surestate.api.v1.CommitPlanRequest;
import io.surestate.api.v1.CommitPlanResponse;
import io.surestate.api.v1.ConflictKind;
import io.surestate.api.v1.Cordon;
import io.surestate.api.v1.CordonNodeRequest;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.DeviceTelemetry;
import io.surestate.api.v1.DrainWait;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.FenceNodeRequest;
import io.surestate.api.v1.FreezeRequest;
import io.surestate.api.v1.FreezeResponse;
import io.surestate.api.v1.GetJobResponse;
import io.surestate.api.v1.GetNodeRequest;
import io.surestate.api.v1.GetNodeResponse;
import io.surestate.api.v1.GetOutcomeRequest;
import io.surestate.api.v1.GetOutcomeResponse;
import io.surestate.api.v1.HeldGang;
import io.surestate.api.v1.Hold;
import io.surestate.api.v1.HoldPlanRequest;
import io.surestate.api.v1.HoldPlanResponse;
import io.surestate.api.v1.HoldState;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.ListAllocationsRequest;
import io.surestate.api.v1.ListAllocationsResponse;
import io.surestate.api.v1.ListHistoryRequest;
import io.surestate.api.v1.ListHistoryResponse;
import io.surestate.api.v1.ListHoldsRequest;
import io.surestate.api.v1.ListHoldsResponse;
import io.surestate.api.v1.ListTelemetryRequest;
import io.surestate.api.v1.ListTelemetryResponse;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeCondition;
import io.surestate.api.v1.NodeTelemetry;
import io.surestate.api.v1.Oversubscription;
import io.surestate.api.v1.PlacedGang;
import io.surestate.api.v1.Plan;
import io.surestate.api.v1.PlanConflict;
import io.surestate.api.v1.PlanMode;
import io.surestate.api.v1.Quarantine;
import io.surestate.api.v1.ReleaseAllocationsRequest;
import io.surestate.api.v1.ReleaseAllocationsResponse;
import io.surestate.api.v1.RequestState;
import io.surestate.api.v1.Telemetry;
import io.surestate.api.v1.UncordonNodeRequest;
import io.surestate.api.v1.WatchEvent;
import io.surestate.api.v1.WatchRequest;
import io.surestate.api.v1.WatchResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LedgerCommandsTest {
    private static final long NOW = Samples.BIRTH + 60_000;
    private static final String PLAN = """
            scheduler: mine
            seenRevision: 41
            mode: PER_GROUP
            gangs:
              - name: notebook-7
                placements:
                  - node: node-a
                    nodeEpoch: 42
                    claim:
                      cores: [{coreId: 3, milli: 1000}]
                      memory: 4Gi
                      devices: [{ordinal: 0, milli: 1000}]
            """;

    private final FakeCluster cluster = new FakeCluster();

    @AfterEach
    void close() {
        cluster.close();
    }

    private CommandRun run(String... args) {
        cluster.clusterMillis = NOW;
        return CommandRun.of(cluster, args);
    }

    private CommandRun typing(String input, String... args) {
        return CommandRun.of(Map.of("SSCTL_SERVER", cluster.address(), CommandRun.TERMINAL, "1"), input, args);
    }

    private <M extends Message> M asked(Class<M> kind) {
        return cluster.asked.stream()
                .filter(kind::isInstance)
                .map(kind::cast)
                .findFirst()
                .orElseThrow();
    }

    private static Hold hold() {
        return Hold.newBuilder()
                .setId("h-1")
                .setTenant("default")
                .setScheduler("mine")
                .setState(HoldState.HOLD_STATE_STANDING)
                .setCreatedMillis(Samples.BIRTH)
                .setExpiresMillis(NOW + 125_000)
                .setAllocations(2)
                .addGangs(HeldGang.newBuilder().setName("notebook-7"))
                .build();
    }

    private static Allocation named(AllocationState state) {
        return Allocation.newBuilder()
                .setId("a-1")
                .setName("notebook-7")
                .setNode("node-a")
                .setState(state)
                .setHold("h-1")
                .setEpoch(40)
                .setRevision(44)
                .setScheduler("mine")
                .setPrincipal("anonymous")
                .setCreatedMillis(Samples.BIRTH)
                .setChangedMillis(Samples.BIRTH)
                .setClaim(Claim.newBuilder()
                        .addCores(CoreShare.newBuilder().setCoreId(3).setMilli(1_000))
                        .setMemoryBytes(4L << 30)
                        .addDevices(DeviceShare.newBuilder().setOrdinal(1).setMilli(1_000)))
                .build();
    }

    @Test
    void listsAllocationsWithTheirOwnersAndWhenTheyEnd() {
        cluster.replies.put(
                ListAllocationsRequest.class,
                ListAllocationsResponse.newBuilder()
                        .addAllocations(named(AllocationState.ALLOCATION_STATE_HELD))
                        .build());
        cluster.replies.put(
                ListHoldsRequest.class,
                ListHoldsResponse.newBuilder().addHolds(hold()).build());

        assertThat(run("alloc", "list", "--state", "held,releasing").out()).isEqualTo("""
                NODE    ID   OWNER            STATE  CPU  MEMORY  DEVICES  AGE  EXPIRES
                node-a  a-1  name notebook-7  HELD   1    4Gi     1        1m   in 2m5s
                """);
        assertThat(asked(ListAllocationsRequest.class).getFilter().getStatesList())
                .containsExactly(AllocationState.ALLOCATION_STATE_HELD, AllocationState.ALLOCATION_STATE_RELEASING);
        assertThat(run("alloc", "list", "--state", "gone").err()).contains("expected: held, nominated");
    }

    @Test
    void releasesWhatStandsUnderAName() {
        cluster.replies.put(
                ReleaseAllocationsRequest.class,
                ReleaseAllocationsResponse.newBuilder()
                        .setReleased(3)
                        .setRevision(9)
                        .build());

        assertThat(run("alloc", "release", "notebook-7").out()).isEqualTo("notebook-7: 3 released at revision 9\n");
        assertThat(asked(ReleaseAllocationsRequest.class).getHeader().getRequestId())
                .isNotEmpty();
    }

    @Test
    void listsHoldsThatStand() {
        cluster.replies.put(
                ListHoldsRequest.class,
                ListHoldsResponse.newBuilder()
                        .addHolds(hold())
                        .addHolds(hold().toBuilder().setId("h-0").setState(HoldState.HOLD_STATE_EXPIRED))
                        .build());

        assertThat(run("hold", "list", "-o", "name").out()).isEqualTo("h-1\n");
        assertThat(run("hold", "list", "--all", "-o", "name").out()).isEqualTo("h-1\nh-0\n");
        assertThat(run("hold", "list").out()).contains("STANDING", "name notebook-7", "in 2m5s");
    }

    @Test
    void commitsAPlanFromAFile() {
        cluster.replies.put(
                CommitPlanRequest.class,
                CommitPlanResponse.newBuilder()
                        .setRevision(50)
                        .setCommitted(true)
                        .addGangs(PlacedGang.newBuilder()
                                .setName("notebook-7")
                                .setState(AllocationState.ALLOCATION_STATE_BOUND)
                                .addAllocations(AllocationRef.newBuilder().setId("a-1")))
                        .build());

        CommandRun run = CommandRun.of(
                Map.of("SSCTL_SERVER", cluster.address()), PLAN, "plan", "commit", "-f", "-", "--request-id", "r-1");

        assertThat(run.code()).as(run.err()).isZero();
        assertThat(run.out()).startsWith("committed at revision 50\n").contains("name notebook-7", "BOUND");
        Plan plan = asked(CommitPlanRequest.class).getPlan();
        assertThat(plan.getSeenRevision()).isEqualTo(41);
        assertThat(plan.getMode()).isEqualTo(PlanMode.PLAN_MODE_PER_GROUP);
        assertThat(plan.getGangs(0).getPlacements(0).getNodeEpoch()).isEqualTo(42);
        assertThat(plan.getGangs(0).getPlacements(0).getClaim().getMemoryBytes())
                .isEqualTo(4L << 30);
        assertThat(plan.getGangs(0).getPlacements(0).getClaim().getDevices(0).getMilli())
                .isEqualTo(1_000);
    }

    @Test
    void exitsWithOneAndTheConflictsOfAPlan() {
        cluster.replies.put(
                CommitPlanRequest.class,
                CommitPlanResponse.newBuilder()
                        .setRevision(50)
                        .addConflicts(PlanConflict.newBuilder()
                                .setKind(ConflictKind.CONFLICT_KIND_TAKEN)
                                .setNode("node-a")
                                .setWhat("device 0")
                                .setHolder("a-0")
                                .setSinceRevision(12)
                                .setMessage("device 0: 1000 asked, 0 free"))
                        .build());

        CommandRun run = CommandRun.of(Map.of("SSCTL_SERVER", cluster.address()), PLAN, "plan", "commit", "-f", "-");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).startsWith("refused at revision 50\n").contains("TAKEN", "device 0", "a-0", "12");
        assertThat(CommandRun.of(
                                Map.of("SSCTL_SERVER", cluster.address()),
                                PLAN,
                                "plan",
                                "commit",
                                "-f",
                                "-",
                                "--validate-only")
                        .out())
                .startsWith("would be refused\n");
    }

    @Test
    void holdsAPlan() {
        cluster.replies.put(
                HoldPlanRequest.class,
                HoldPlanResponse.newBuilder().setHold(hold()).setRevision(50).build());

        CommandRun run = CommandRun.of(
                Map.of("SSCTL_SERVER", cluster.address()), PLAN, "plan", "hold", "-f", "-", "--ttl", "10m");

        assertThat(run.out()).isEqualTo("h-1\n");
        assertThat(asked(HoldPlanRequest.class).getTtlMillis()).isEqualTo(600_000);
    }

    @Test
    void looksBackAtADeviceANodeAJobAndAnAllocation() {
        cluster.jobs.add(GetJobResponse.newBuilder()
                .setJob(Job.newBuilder().setUid("00000000000000a3-000000"))
                .build());
        cluster.replies.put(
                ListHistoryRequest.class,
                ListHistoryResponse.newBuilder()
                        .addChanges(named(AllocationState.ALLOCATION_STATE_RELEASED))
                        .build());

        assertThat(run("ledger", "history", "node-a/3").out())
                .contains("2026-09-21 14:13:20", "RELEASED", "name notebook-7", "44", "40", "mine", "anonymous");
        assertThat(asked(ListHistoryRequest.class).getDevice().getOrdinal()).isEqualTo(3);
        cluster.asked.clear();
        run("ledger", "history", "node-a");
        assertThat(asked(ListHistoryRequest.class).getNode()).isEqualTo("node-a");
        cluster.asked.clear();
        run("ledger", "history", "00000000000000a3-000000");
        assertThat(asked(ListHistoryRequest.class).getJobUid()).isEqualTo("00000000000000a3-000000");
        cluster.asked.clear();
        cluster.refusals.add(FakeCluster.refusal(ErrorCode.ERROR_CODE_NOT_FOUND, "job: none"));
        run("ledger", "history", "00000000000000a3-000001");
        assertThat(asked(ListHistoryRequest.class).getAllocation()).isEqualTo("00000000000000a3-000001");
        assertThat(run("ledger", "history", "node-a/x").code()).isEqualTo(2);
        assertThat(run("ledger", "history", "").code()).isEqualTo(2);
    }

    @Test
    void saysThatANodeIsNotKnown() {
        cluster.replies.put(
                GetNodeRequest.class,
                FakeCluster.refusal(ErrorCode.ERROR_CODE_NOT_FOUND, "node: nope (expected: ...)"));
        for (CommandRun run : List.of(run("alloc", "list", "--node", "nope"), run("ledger", "history", "nope/3"))) {
            assertThat(run.err()).contains("nope: no such node is known");
            assertThat(run.code()).isEqualTo(1);
        }
    }

    @Test
    void tellsWhatBecameOfARequest() {
        cluster.replies.put(
                GetOutcomeRequest.class,
                GetOutcomeResponse.newBuilder()
                        .setRequestId("r-1")
                        .setState(RequestState.REQUEST_STATE_DONE)
                        .setJob(Job.newBuilder().setName("count-up").setUid("u"))
                        .setRevision(7)
                        .build());

        assertThat(run("request", "get", "r-1", "--seal").out())
                .contains("State:     DONE\n", "Result:    job count-up, uid u\n");
        assertThat(asked(GetOutcomeRequest.class).getSeal()).isTrue();
    }

    @Test
    void fencesOnlyWhatWasTypedOut() {
        assertThat(run("node", "fence", "node-a").code()).isEqualTo(2);
        assertThat(run("node", "fence", "node-a", "--powered-off").err()).contains("--confirm NODE: missing");
        assertThat(typing("node-b\n", "node", "fence", "node-a", "--powered-off")
                        .code())
                .isEqualTo(1);
        assertThat(run("node", "fence", "node-a", "--powered-off", "--confirm", "node-b")
                        .code())
                .isEqualTo(2);
        assertThat(cluster.asked).noneMatch(FenceNodeRequest.class::isInstance);
        CommandRun typed = typing("node-a\n", "node", "fence", "node-a", "--powered-off");
        assertThat(typed.out()).isEqualTo("node-a fenced at revision 77\n");
        assertThat(typed.err()).contains("Type node-a to go on");
        assertThat(asked(FenceNodeRequest.class).getPoweredOff()).isTrue();
        assertThat(run("node", "fence", "node-a", "--powered-off", "--confirm", "node-a")
                        .code())
                .isZero();
    }

    @Test
    void takesNodesOutOfUseAndBack() {
        assertThat(run("node", "cordon", "node-a", "node-b", "--reason", "fan noise", "--request-id", "r")
                        .out())
                .isEqualTo("node-a is cordoned, at revision 79\nnode-b is cordoned, at revision 79\n");
        assertThat(asked(CordonNodeRequest.class).getReason()).isEqualTo("fan noise");
        assertThat(cluster.asked.stream()
                        .filter(CordonNodeRequest.class::isInstance)
                        .map(request ->
                                ((CordonNodeRequest) request).getHeader().getRequestId()))
                .containsExactly("r", "r.1");
        assertThat(run("node", "uncordon", "node-a").out()).isEqualTo("node-a is no longer cordoned, at revision 80\n");
        assertThat(asked(UncordonNodeRequest.class).getDrain()).isFalse();
        assertThat(run("node", "cordon").code()).isEqualTo(2);
    }

    private static GetNodeResponse draining(int allocations) {
        Node.Builder node = Samples.node().toBuilder();
        node.getStatusBuilder()
                .setCordon(Cordon.newBuilder()
                        .setPrincipal("ann")
                        .setReason("kernel upgrade")
                        .setSinceMillis(NOW - 5_000)
                        .setDrain(true)
                        .setDeadlineMillis(NOW + 125_000));
        GetNodeResponse.Builder reply = GetNodeResponse.newBuilder()
                .setNode(node)
                .setUsage(Samples.usage().toBuilder().setAllocations(allocations));
        if (allocations > 0) {
            reply.addDrainWaits(DrainWait.newBuilder()
                    .setWhat("job train (tenant default)")
                    .setAllocations(allocations)
                    .setReason("no other place: group g: 0 of 2 tasks fit"));
        }
        return reply.build();
    }

    @Test
    void drainsShowsWhatIsLeftAndWaitsForIt() {
        cluster.replies.put(GetNodeRequest.class, draining(2));
        assertThat(run("node", "drain", "node-a", "--deadline", "2h", "--reason", "kernel upgrade")
                        .out())
                .isEqualTo("node-a is draining; 2 allocations are left: job train (tenant default), 2 allocations: "
                        + "no other place: group g: 0 of 2 tasks fit\n");
        assertThat(asked(CordonNodeRequest.class).getDrain()).isTrue();
        assertThat(asked(CordonNodeRequest.class).getDeadlineAfterMillis()).isEqualTo(7_200_000);
        assertThat(run("node", "get", "node-a").out())
                .contains("State:         READY,DRAINING")
                .contains("Draining:      since 5s, by ann: kernel upgrade; deadline in 2m5s\n")
                .contains("Still here:    job train (tenant default), 2 allocations: no other place");
        cluster.replies.put(GetNodeRequest.class, draining(0));
        assertThat(run("node", "drain", "node-a", "--wait").out())
                .isEqualTo("node-a is drained: nothing is left on it\n");
        assertThat(run("node", "drain", "node-a", "--deadline", "soon").code()).isEqualTo(2);
        assertThat(run("node", "undrain", "node-a").out()).contains("no longer drained");
    }

    @Test
    void forcesACancelOnlyWithConsent() {
        assertThat(run("job", "cancel", "count-up", "--force").code()).isEqualTo(2);
        assertThat(typing("no\n", "job", "cancel", "count-up", "--force").code())
                .isEqualTo(1);
        assertThat(cluster.cancelled).isEmpty();
        assertThat(run("job", "cancel", "count-up", "--force", "--yes").code()).isZero();
        assertThat(cluster.cancelled.get(0).getForce()).isTrue();
    }

    @Test
    void freezesAndShowsIt() {
        cluster.replies.put(
                FreezeRequest.class,
                FreezeResponse.newBuilder()
                        .setMeta(ClusterMeta.newBuilder().setFrozenUntilMillis(NOW + 1_800_000))
                        .build());

        assertThat(run("cluster", "freeze", "--for", "30m").out()).startsWith("frozen until 14:44:20.000 UTC");
        assertThat(asked(FreezeRequest.class).getForMillis()).isEqualTo(1_800_000);
        cluster.frozenUntilMillis = NOW + 90_000;
        assertThat(run("cluster", "status").out()).contains("Frozen:", "1m30s left");
        cluster.idleMillis = 90_000;
        assertThat(run("cluster", "status").out()).doesNotContain("Frozen:");
        cluster.idleMillis = 0;
        assertThat(run("cluster", "unfreeze").code()).isZero();
        cluster.frozenUntilMillis = NOW - 1;
        assertThat(run("status").out()).doesNotContain("Frozen:");
    }

    @Test
    void showsWhatIsTheMatterWithANode() {
        Node.Builder node = Samples.node().toBuilder();
        node.getStatusBuilder()
                .addOversubscribed(
                        Oversubscription.newBuilder().setWhat("device 2").setHeld(1_000))
                .addQuarantined(Quarantine.newBuilder()
                        .setOrdinal(1)
                        .setReason("xid 79")
                        .setSinceMillis(NOW - 5_000))
                .addConditions(NodeCondition.newBuilder()
                        .setName("discovery/nvidia-smi")
                        .setReason("hangs")
                        .setSinceMillis(NOW - 7_000));
        cluster.replies.put(
                GetNodeRequest.class,
                GetNodeResponse.newBuilder()
                        .setNode(node)
                        .setUsage(Samples.usage())
                        .build());

        assertThat(run("node", "get", "node-a").out())
                .contains(
                        "READY,OVERSUBSCRIBED,QUARANTINED:1,CONDITIONS:1",
                        "device 2: 1 held of 0",
                        "device 1, 5s ago: xid 79",
                        "discovery/nvidia-smi, 7s ago: hangs");
    }

    @Test
    void showsHowNodesAndTheirDevicesAreDoing() {
        Telemetry reading = Telemetry.newBuilder()
                .setLoadMilli(500)
                .setMemoryUsedBytes(8L << 30)
                .setTemperatureCelsius(64)
                .setPowerMilli(787)
                .addDevices(DeviceTelemetry.newBuilder()
                        .setOrdinal(3)
                        .setUseMilli(870)
                        .setMemoryUsedBytes(5L << 30)
                        .setTemperatureCelsius(64)
                        .setPowerWatts(551)
                        .setPowerLimitWatts(700)
                        .setClockMhz(1_980)
                        .setLinkBitsPerSecond(2_500_000_000L))
                .build();
        cluster.replies.put(
                ListTelemetryRequest.class,
                ListTelemetryResponse.newBuilder()
                        .addNodes(NodeTelemetry.newBuilder()
                                .setNode("node-a")
                                .setAgeMillis(2_500)
                                .setLast(reading)
                                .setMean(reading)
                                .setMax(reading)
                                .setStrain(1))
                        .build());

        assertThat(run("node", "top").out().lines().toList().get(1).split("\\s{2,}"))
                .containsExactly("node-a", "50%/50%", "8Gi", "0%/0%", "1", "87%/87%", "64/64 C", "79%/79%", "1", "2s");
        assertThat(run("node", "top", "node-a").out().lines().toList().get(4).split("\\s{2,}"))
                .containsExactly("3", "87%/87%", "5Gi", "64/64 C", "551 of 700 W", "1980 MHz", "2.5 Gbit/s", "0", "0");
        assertThat(run("node", "top", "-o", "json").out())
                .contains("\"memoryUsed\" : \"8Gi\"", "\"age\" : \"2s500ms\"");
        assertThat(run("topology", "show", "--live").out())
                .contains("device 3  use 87%, 5Gi in use, 64 C, 551 of 700 W");
    }

    @Test
    void aNodeThatToldNothingIsNamed() {
        assertThat(run("node", "top", "node-b").err()).contains("node: node-b (expected: a node whose agent has told");
    }

    private void tells(WatchEvent.Builder event) {
        cluster.changes.add(WatchResponse.newBuilder()
                .setRevision(60)
                .setTimeMillis(NOW)
                .addEvents(event)
                .setLastInRevision(true)
                .setResumeToken("t")
                .build());
    }

    @Test
    void watchesEverythingLineByLine() {
        tells(WatchEvent.newBuilder().setJob(Samples.job()));
        tells(WatchEvent.newBuilder().setTask(Samples.running().getTasks(0)));
        tells(WatchEvent.newBuilder().setNode(Samples.node()));
        tells(WatchEvent.newBuilder().setAllocation(named(AllocationState.ALLOCATION_STATE_BOUND)));
        tells(WatchEvent.newBuilder().setHold(hold()));
        tells(WatchEvent.newBuilder().setJobRemoved("1f-0"));

        CommandRun run = run("watch", "--jobs", "--list", "--node", "node-a");

        assertThat(run.out())
                .containsPattern("(?m)^14:14:20.000  60 +job +count-up +RUNNING, attempt 2$")
                .containsPattern("task +count-up/worker/0 +RUNNING, attempt 2, on node-a")
                .containsPattern("node +node-a +READY")
                .containsPattern("alloc +a-1 +BOUND, on node-a of name notebook-7")
                .containsPattern("hold +h-1 +STANDING, 2 allocations, by mine")
                .containsPattern("job +count-up +gone to history");
        assertThat(run.err()).contains("COMPACTED").contains("no longer kept");
        assertThat(run.code()).isEqualTo(1);
        WatchRequest asked = asked(WatchRequest.class);
        assertThat(asked.getInitialList()).isTrue();
        assertThat(asked.getFilter().getJobs()).isTrue();
        assertThat(asked.getFilter().getNode()).isEqualTo("node-a");
        assertThat(run("watch", "--list", "--from", "3").code()).isEqualTo(2);
    }

    @Test
    void watchesOnOverAnOutageAndSaysSoOnce() {
        tells(WatchEvent.newBuilder().setJob(Samples.job()));
        cluster.watchesLost.set(20);
        cluster.watchEnd = FakeCluster.refusal(ErrorCode.ERROR_CODE_PERMISSION_DENIED, "not any more");

        CommandRun run = run("watch", "--timeout", "1ms");

        assertThat(run.out()).containsOnlyOnce("count-up");
        assertThat(run.err())
                .containsOnlyOnce("no server answers; trying on, last revision 60")
                .contains("to go on: ssctl watch --from 60")
                .contains("PERMISSION_DENIED");
        assertThat(run.code()).isEqualTo(1);
        assertThat(cluster.watchesLost).hasValue(0);
    }

    @Test
    void aWatchThatNoServerEverServedEnds() {
        cluster.watchesLost.set(1_000);

        CommandRun run = run("watch", "--timeout", "1s");

        assertThat(run.err()).contains("UNAVAILABLE").doesNotContain("trying on");
        assertThat(run.code()).isEqualTo(3);
    }

    @Test
    void watchesAsDocumentsForPrograms() {
        tells(WatchEvent.newBuilder().setJob(Samples.job()));

        assertThat(run("watch", "-o", "json").out().lines().toList())
                .singleElement()
                .asString()
                .startsWith(
                        "{\"revision\":\"60\",\"time\":\"2026-09-21T14:14:20Z\",\"initial\":false,\"job\":{\"name\":\"count-up\"");
        assertThat(run("watch", "-o", "yaml").out()).startsWith("---\nrevision: \"60\"\n");
    }

    @Test
    void listsGoOnWithALineForEachChange() {
        tells(WatchEvent.newBuilder().setJob(Samples.finishedJob()));
        tells(WatchEvent.newBuilder().setNode(Samples.node()));

        assertThat(run("job", "list", "-w").out().lines().toList())
                .hasSize(3)
                .last()
                .asString()
                .startsWith("count-up  FAILED");
        assertThat(run("job", "list", "-w", "--phase", "running", "-o", "name").out())
                .isEqualTo("count-up\n");
        assertThat(run("node", "list", "-w").out().lines().toList())
                .hasSize(3)
                .last()
                .asString()
                .startsWith("node-a  READY");
    }
}
