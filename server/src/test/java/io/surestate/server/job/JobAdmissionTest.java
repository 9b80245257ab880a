package io.surestate.server.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surestate.api.Limits;
import io.surestate.api.v1.CheckpointPolicy;
import io.surestate.api.v1.CheckpointSignal;
import io.surestate.api.v1.Countable;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.EnvVar;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.ExitCodes;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.JobType;
import io.surestate.api.v1.Mount;
import io.surestate.api.v1.Resources;
import io.surestate.api.v1.RetryPolicy;
import io.surestate.api.v1.TaskGroup;
import io.surestate.api.v1.Topology;
import io.surestate.server.api.Refused;
import io.surestate.server.api.Tenants;
import io.surestate.server.fixture.LoneServer;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JobAdmissionTest {
    private static final Job GOOD = LoneServer.job("good", 2, 500);

    static Stream<String> badNames() {
        return Stream.of(
                "",
                "a".repeat(254),
                "a/b",
                "..",
                "a..b",
                "a\0b",
                " a",
                "a ",
                "a\n",
                "\ud83d\ude80",
                "a\u202eb",
                "Upper",
                "-a",
                "a-",
                "a_b",
                "e\u0301",
                "%2e%2e",
                "a".repeat(64));
    }

    static Stream<Long> outOfRange() {
        return Stream.of(-1L, 1L << 31, Long.MAX_VALUE, Long.MIN_VALUE);
    }

    private static void admit(Job job) {
        JobAdmission.admit(job, "default", "anonymous");
    }

    private static Job spec(Consumer<JobSpec.Builder> change) {
        JobSpec.Builder spec = GOOD.getSpec().toBuilder();
        change.accept(spec);
        return GOOD.toBuilder().setSpec(spec).build();
    }

    private static Job group(Consumer<TaskGroup.Builder> change) {
        return spec(spec -> change.accept(spec.getGroupsBuilder(0)));
    }

    private static void expectRefused(Job job, ErrorCode code, String field) {
        assertThatThrownBy(() -> admit(job)).isInstanceOfSatisfying(Refused.class, refused -> {
            assertThat(refused.detail().getCode()).isEqualTo(code);
            assertThat(refused.detail().getMessage()).startsWith(field).contains("(expected: ");
        });
    }

    private static void expectInvalid(Job job, String field) {
        expectRefused(job, ErrorCode.ERROR_CODE_INVALID_ARGUMENT, field);
    }

    @Test
    void fillsInWhatIsNotSaid() {
        Job admitted = JobAdmission.admit(GOOD, Tenants.of(""), "anonymous");
        assertThat(admitted.getTenant()).isEqualTo("default");
        assertThat(admitted.getSpec().getType()).isEqualTo(JobType.JOB_TYPE_BATCH);
        assertThat(admitted.getSpec().getScheduler()).isEqualTo("default");
        assertThat(admitted.getSpec().getRetry().getMaxAttempts()).isEqualTo(1);
        assertThat(admitted.getSpec().getRetry().getBackoffMillis()).isEqualTo(1_000);
    }

    private static Job exitCodes(List<Integer> failJob, List<Integer> ignore) {
        return spec(spec -> spec.setRetry(RetryPolicy.newBuilder()
                .setExitCodes(ExitCodes.newBuilder().addAllFailJob(failJob).addAllIgnore(ignore))));
    }

    @Test
    void exitCodesAreOnesThatAProgramCanEndWithEachOfOneClass() {
        Job good = JobAdmission.admit(exitCodes(List.of(64, 2, 2), List.of(75)), "default", "anonymous");
        assertThat(good.getSpec().getRetry().getExitCodes().getFailJobList()).containsExactly(2, 64);
        expectInvalid(exitCodes(List.of(0), List.of()), "retry.exitCodes.failJob");
        expectInvalid(exitCodes(List.of(), List.of(256)), "retry.exitCodes.ignore");
        expectInvalid(exitCodes(List.of(3), List.of(1, 3)), "retry.exitCodes.ignore");
        expectInvalid(
                spec(spec -> spec.setRetry(
                        RetryPolicy.newBuilder().setBackoffMillis(5_000).setBackoffMaxMillis(4_000))),
                "retry.backoffMax");
        expectInvalid(
                spec(spec -> spec.setRetry(RetryPolicy.newBuilder().setBackoffMaxMillis(-1))), "retry.backoffMax");
    }

    private static Job checkpoint(CheckpointSignal signal, long graceMillis) {
        return spec(spec -> spec.setCheckpoint(CheckpointPolicy.newBuilder()
                .setIntervalMillis(1_000)
                .setSignal(signal)
                .setGraceMillis(graceMillis)));
    }

    @Test
    void aCheckpointSignalHasAGrace() {
        Job asked = checkpoint(CheckpointSignal.CHECKPOINT_SIGNAL_SIGUSR1, 0);
        assertThat(JobAdmission.admit(asked, "default", "anonymous")
                        .getSpec()
                        .getCheckpoint()
                        .getGraceMillis())
                .isEqualTo(30_000);
        expectInvalid(checkpoint(CheckpointSignal.CHECKPOINT_SIGNAL_SIGUSR1, 999), "checkpoint.grace");
        expectInvalid(checkpoint(CheckpointSignal.CHECKPOINT_SIGNAL_SIGUSR2, 600_001), "checkpoint.grace");
        expectInvalid(checkpoint(CheckpointSignal.CHECKPOINT_SIGNAL_UNSPECIFIED, 5_000), "checkpoint.grace");
        expectInvalid(
                spec(spec -> spec.setCheckpoint(
                        CheckpointPolicy.newBuilder().setIntervalMillis(1_000).setSignalValue(99))),
                "checkpoint.signal");
    }

    @ParameterizedTest
    @MethodSource("badNames")
    void refusesBadNamesEverywhere(String name) {
        expectInvalid(GOOD.toBuilder().setName(name).build(), "name");
        expectInvalid(group(group -> group.setName(name)), "groups.name");
        if (!name.isEmpty()) {
            expectInvalid(spec(spec -> spec.setScheduler(name)), "scheduler");
            assertThatThrownBy(() -> Tenants.of(name)).isInstanceOf(Refused.class);
        }
    }

    @Test
    void takesTheLongestName() {
        String longest = String.join(".", Collections.nCopies(4, "a".repeat(62))) + ".a";
        assertThat(longest).hasSize(253);
        assertThatCode(() -> admit(GOOD.toBuilder().setName(longest).build())).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, Integer.MAX_VALUE, Integer.MIN_VALUE, Limits.TASKS_PER_GROUP_MAX + 1})
    void refusesCountsOutOfRange(int count) {
        expectInvalid(group(group -> group.setCount(count)), "groups.g.count");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MAX_VALUE, Integer.MIN_VALUE, Limits.ATTEMPTS_MAX + 1})
    void refusesAttemptsOutOfRange(int attempts) {
        expectInvalid(
                spec(spec -> spec.setRetry(RetryPolicy.newBuilder().setMaxAttempts(attempts))), "retry.maxAttempts");
    }

    @ParameterizedTest
    @ValueSource(ints = {1_001, -1_001, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void refusesPrioritiesOutOfRange(int priority) {
        expectInvalid(spec(spec -> spec.setPriority(priority)), "priority");
    }

    @ParameterizedTest
    @MethodSource("outOfRange")
    void refusesAmountsOutOfRange(long amount) {
        expectInvalid(spec(spec -> spec.setRetry(RetryPolicy.newBuilder().setBackoffMillis(amount))), "retry.backoff");
        expectInvalid(
                spec(spec -> spec.setCheckpoint(CheckpointPolicy.newBuilder().setIntervalMillis(amount))),
                "checkpoint.interval");
        expectInvalid(
                group(group -> group.setResources(Resources.newBuilder().setCpuMillicores(amount))),
                "groups.g.resources.cpu");
        if (amount != 1L << 31) {
            expectInvalid(
                    group(group -> group.setResources(Resources.newBuilder().setMemoryBytes(amount))),
                    "groups.g.resources.memory");
        }
    }

    @Test
    void refusesACheckpointPolicyWithoutInterval() {
        expectInvalid(
                spec(spec -> spec.setCheckpoint(CheckpointPolicy.getDefaultInstance())), "checkpoint.interval: 0");
    }

    @ParameterizedTest
    @ValueSource(strings = {"relative", "/a/../b", "/..", "/a\0b", "../x"})
    void refusesFoldersThatAreNotAbsolute(String folder) {
        expectInvalid(group(group -> group.setWorkingDir(folder)), "groups.g.workingDir");
        expectInvalid(
                spec(spec -> spec.setCheckpoint(
                        CheckpointPolicy.newBuilder().setIntervalMillis(1_000).setWhere(folder))),
                "checkpoint.where");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "relative",
                "/a/../b",
                "/a:",
                "/a:b:c",
                "/a@sha256:12",
                "/a@md5:0",
                "docker.io/library/debian",
                "/a\0"
            })
    void refusesImagesOfNoKnownForm(String image) {
        expectInvalid(group(group -> group.setImage(image)), "groups.g.image");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/images/debian", "/images/app:v1.2", "/"})
    void takesImagesOnTheNode(String image) {
        assertThat(JobAdmission.admit(group(group -> group.setImage(image)), "default", "anonymous")
                        .getSpec()
                        .getGroups(0)
                        .getImage())
                .isEqualTo(image);
    }

    @Test
    void refusesMountsWithoutImageOrTwiceInOnePlaceOrTooMany() {
        Mount data = Mount.newBuilder().setSource("/data").build();
        expectInvalid(group(group -> group.addMounts(data)), "groups.g.mounts: 1 (expected: none without an image)");
        expectInvalid(group(group -> group.setImage("/i").addMounts(data).addMounts(data)), "groups.g.mounts.target");
        expectInvalid(
                group(group -> group.setImage("/i").addMounts(Mount.newBuilder().setSource("data"))),
                "groups.g.mounts.source");
        expectInvalid(
                group(group -> group.setImage("/i").addMounts(Mount.getDefaultInstance())), "groups.g.mounts.source");
        expectInvalid(
                group(group -> group.setImage("/i").addAllMounts(java.util.Collections.nCopies(65, data))),
                "groups.g.mounts");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "1x", "-a", "$(id)", "a/b"})
    void refusesAccountsThatAreNoNames(String user) {
        expectInvalid(group(group -> group.setUser(user)), "groups.g.user");
    }

    @Test
    void refusesNoGroupsTooManyAndTwiceTheSame() {
        expectInvalid(spec(JobSpec.Builder::clearGroups), "groups: empty");
        TaskGroup one = GOOD.getSpec().getGroups(0);
        expectInvalid(
                spec(spec -> IntStream.range(0, Limits.GROUPS_PER_JOB_MAX)
                        .forEach(i -> spec.addGroups(one.toBuilder().setName("g" + i)))),
                "groups: 1001");
        expectInvalid(spec(spec -> spec.addGroups(one)), "groups.name");
    }

    @Test
    void refusesMoreTasksThanAJobMayHave() {
        TaskGroup large = GOOD.getSpec().getGroups(0).toBuilder()
                .setCount(Limits.TASKS_PER_GROUP_MAX)
                .build();
        expectInvalid(
                spec(spec -> spec.clearGroups()
                        .addGroups(large)
                        .addGroups(large.toBuilder().setName("h"))),
                "tasks of all groups: 20000");
    }

    @Test
    void refusesUnknownEnums() {
        expectInvalid(spec(spec -> spec.setTypeValue(99)), "type");
        expectInvalid(spec(spec -> spec.setOnLeaseEndValue(-7)), "onLeaseEnd");
        expectInvalid(devices(DeviceRequest.newBuilder().setKindValue(42).setCount(1)), "groups.g.resources.devices");
        expectInvalid(devices(DeviceRequest.newBuilder().setCount(1)), "groups.g.resources.devices");
    }

    @Test
    void refusesCommandsThatCannotRun() {
        expectInvalid(group(TaskGroup.Builder::clearCommand), "groups.g.command");
        expectInvalid(group(group -> group.setCommand(0, "  ")), "groups.g.command");
        expectInvalid(group(group -> group.addCommand("a\0b")), "groups.g.command");
        expectInvalid(
                group(group -> group.addAllCommand(Collections.nCopies(Limits.COMMAND_ARGUMENTS_MAX, "x"))),
                "groups.g.command arguments");
        expectInvalid(
                group(group -> group.addCommand("x".repeat(Limits.COMMAND_CHARS_MAX))), "groups.g.command characters");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1A", "A B", "A=B", "\ud83d\ude80", "A\0", "SURESTATE_JOB"})
    void refusesBadEnvNames(String name) {
        expectInvalid(group(group -> group.addEnv(EnvVar.newBuilder().setName(name))), "groups.g.env");
    }

    @Test
    void refusesEnvGivenTwiceAndSortsTheRest() {
        EnvVar b = EnvVar.newBuilder().setName("B").setValue("1").build();
        EnvVar a = EnvVar.newBuilder().setName("A").setValue("2").build();
        expectInvalid(group(group -> group.addEnv(b).addEnv(b)), "groups.g.env");
        expectInvalid(group(group -> group.addEnv(b.toBuilder().setValue("x\0"))), "groups.g.env");
        Job admitted = JobAdmission.admit(group(group -> group.addEnv(b).addEnv(a)), "default", "anonymous");
        assertThat(admitted.getSpec().getGroups(0).getEnvList()).containsExactly(a, b);
    }

    private static Job devices(DeviceRequest.Builder request) {
        return group(group -> group.setResources(Resources.newBuilder().addDevices(request)));
    }

    private static DeviceRequest.Builder gpu(int count) {
        return DeviceRequest.newBuilder().setKind(DeviceKind.DEVICE_KIND_GPU).setCount(count);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, Integer.MAX_VALUE, Limits.DEVICES_PER_TASK_MAX + 1})
    void refusesDeviceCountsOutOfRange(int count) {
        expectInvalid(devices(gpu(count)), "groups.g.resources.devices.count");
    }

    @Test
    void refusesAmountsOutOfRange() {
        expectInvalid(devices(gpu(1).setShareMilli(-1)), "groups.g.resources.devices.share");
        expectInvalid(devices(gpu(1).setShareMilli(1_001)), "groups.g.resources.devices.share");
        expectInvalid(devices(gpu(1).setMemoryBytes(Long.MAX_VALUE)), "groups.g.resources.devices.memory");
        expectInvalid(devices(gpu(1).setModel("a").addModels("b")), "groups.g.resources.devices.models");
        expectInvalid(devices(gpu(1).addModels("")), "groups.g.resources.devices.models");
        expectInvalid(resources(asked -> asked.setNetworkBitsPerSecond(-1)), "groups.g.resources.network");
        expectInvalid(resources(asked -> asked.setStorageBytes(Long.MAX_VALUE)), "groups.g.resources.storage");
        expectInvalid(resources(asked -> asked.addCountables(countable("a b", 1))), "groups.g.resources.countables");
        expectInvalid(resources(asked -> asked.addCountables(countable("a", 0))), "groups.g.resources.countables.a");
        expectInvalid(
                resources(asked -> asked.addCountables(countable("a", 1)).addCountables(countable("a", 2))),
                "groups.g.resources.countables");
    }

    @Test
    void bringsWhatIsAskedIntoOneForm() {
        Resources form = JobAdmission.admit(
                        resources(asked -> asked.addCountables(countable("z", 1))
                                .addCountables(countable("licenses/a", 2))
                                .addDevices(gpu(1).setShareMilli(1_000))
                                .addDevices(gpu(1).setShareMilli(250))),
                        "default",
                        "anonymous")
                .getSpec()
                .getGroups(0)
                .getResources();
        assertThat(form.getCountablesList()).extracting(Countable::getName).containsExactly("licenses/a", "z");
        assertThat(form.getDevicesList())
                .extracting(DeviceRequest::getShareMilli)
                .containsExactly(0, 250);
    }

    @Test
    void refusesTopologiesThatContradictThemselves() {
        expectTopology(topology -> topology.setRequired(true), "required");
        expectTopology(topology -> topology.setPack("Rack 1"), "pack");
        expectTopology(topology -> topology.setSliceTasks(2), "sliceLevel");
        expectTopology(topology -> topology.setSliceLevel("rack"), "sliceLevel");
        expectTopology(topology -> topology.setSliceTasks(3).setSliceLevel("rack"), "sliceTasks");
        expectTopology(topology -> topology.setSliceTasks(5).setSliceLevel("rack"), "sliceTasks");
        expectTopology(topology -> topology.setMaxPerDomain(1), "maxPerDomain");
        expectTopology(topology -> topology.setSpread("rack").setMaxPerDomain(-1), "maxPerDomain");
        expectTopology(topology -> topology.setSpread("rack").setSliceTasks(2).setSliceLevel("rack"), "spread");
        expectTopology(topology -> topology.setPack("rack").setRequired(true).setSpread("rack"), "spread");
        expectInvalid(spec(spec -> spec.setTopology(Topology.newBuilder().setSpread("rack"))), "topology");
    }

    private static void expectTopology(UnaryOperator<Topology.Builder> change, String field) {
        Topology.Builder topology = change.apply(Topology.newBuilder());
        expectInvalid(group(group -> group.setCount(4).setTopology(topology)), "groups.g.topology." + field);
    }

    private static Job resources(UnaryOperator<Resources.Builder> change) {
        return group(group -> group.setResources(change.apply(Resources.newBuilder())));
    }

    private static Countable countable(String name, long amount) {
        return Countable.newBuilder().setName(name).setAmount(amount).build();
    }

    @Test
    void sumsDevicesWithoutOverflow() {
        Resources.Builder many = Resources.newBuilder();
        IntStream.range(0, 3).forEach(i -> many.addDevices(gpu(Limits.DEVICES_PER_TASK_MAX)));
        expectInvalid(group(group -> group.setResources(many)), "groups.g.resources.devices in all");
    }
}
