package io.surestate.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.grpc.CallOptions;
import io.grpc.ManagedChannel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.NettyChannelBuilder;
import io.grpc.stub.ClientCalls;
import io.surestate.api.v1.CheckpointPolicy;
import io.surestate.api.v1.CordonNodeRequest;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.EnvVar;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.api.v1.ListJobsRequest;
import io.surestate.api.v1.NodesGrpc;
import io.surestate.api.v1.PageRequest;
import io.surestate.api.v1.Resources;
import io.surestate.api.v1.SubmitJobRequest;
import io.surestate.api.v1.TaskGroup;
import io.surestate.client.SurestateException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What must not come in by the wire does not, is told clearly, and changes nothing. */
class HostileInputTest {
    private static final Duration SOON = Duration.ofSeconds(30);

    @TempDir
    private static Path folder;

    private static ClusterLayout layout;
    private static JvmCluster cluster;
    private static Api api;

    private String digestBefore = "";

    @BeforeAll
    static void start() {
        layout = ClusterLayout.of(folder, 1);
        cluster = JvmCluster.start(layout);
        api = Api.of(layout);
        api.submit(Api.shellJob("present", 1, "true"));
    }

    @AfterAll
    static void stop() {
        api.close();
        cluster.close();
    }

    @BeforeEach
    void remember() {
        digestBefore = api.digest(0).getDigest().toString();
    }

    @AfterEach
    void nothingChanged() {
        assertThat(api.digest(0).getDigest()).hasToString(digestBefore);
    }

    private static void assertRefused(Job job, ErrorCode code, String... said) {
        assertThatThrownBy(() -> api.submit(job)).isInstanceOfSatisfying(SurestateException.class, refused -> {
            assertThat(refused.detail().getCode()).isEqualTo(code);
            assertThat(refused.detail().getMessage()).contains("(expected: ").contains(said);
            assertThat(refused.detail().getRetryable()).isFalse();
        });
    }

    private static Job with(UnaryOperator<JobSpec.Builder> change) {
        Job job = Api.shellJob("bad", 1, "true");
        return job.toBuilder().setSpec(change.apply(job.getSpec().toBuilder())).build();
    }

    private static Job withGroup(UnaryOperator<TaskGroup.Builder> change) {
        return with(spec -> spec.setGroups(0, change.apply(spec.getGroups(0).toBuilder())));
    }

    private static Job withResources(UnaryOperator<Resources.Builder> change) {
        return withGroup(group -> group.setResources(change.apply(group.getResources().toBuilder())));
    }

    static List<String> badNames() {
        return List.of(
                "",
                "a".repeat(254),
                "a/b",
                "..",
                "a..b",
                "nul\0l",
                " blank",
                "blank ",
                "UPPER",
                "-dash",
                "dash-",
                "emoji\uD83D\uDE00",
                "right\u202Eleft",
                "combi\u0301ning",
                "per%cent",
                "a@b",
                "a#b",
                "a?b");
    }

    @ParameterizedTest
    @MethodSource("badNames")
    void namesThatAreNotDnsSubdomains(String name) {
        assertRefused(
                Api.shellJob("x", 1, "true").toBuilder().setName(name).build(),
                ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                "name: ");
        assertRefused(withGroup(group -> group.setName(name)), ErrorCode.ERROR_CODE_INVALID_ARGUMENT, "groups.name: ");
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 10_001, Integer.MAX_VALUE, Integer.MIN_VALUE})
    void countsOutOfRange(int count) {
        assertRefused(
                withGroup(group -> group.setCount(count)),
                ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                "groups.worker.count: " + count);
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 1L << 31, Long.MAX_VALUE, Long.MIN_VALUE})
    void amountsOutOfRange(long amount) {
        assertRefused(withResources(r -> r.setCpuMillicores(amount)), ErrorCode.ERROR_CODE_INVALID_ARGUMENT, "cpu");
        if (amount != 1L << 31) {
            assertRefused(
                    withResources(r -> r.setMemoryBytes(amount)), ErrorCode.ERROR_CODE_INVALID_ARGUMENT, "memory");
        }
        assertRefused(
                with(spec -> spec.setRetry(spec.getRetry().toBuilder().setBackoffMillis(amount))),
                ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                "retry.backoff: " + amount);
        assertRefused(
                with(spec -> spec.setCheckpoint(CheckpointPolicy.newBuilder().setIntervalMillis(amount))),
                ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                "checkpoint.interval: " + amount);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 1_001, Integer.MAX_VALUE})
    void attemptsAndPrioritiesOutOfRange(int value) {
        assertRefused(
                with(spec -> spec.setRetry(spec.getRetry().toBuilder().setMaxAttempts(value))),
                ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                "retry.maxAttempts: " + value);
        if (value != -1) {
            assertRefused(
                    with(spec -> spec.setPriority(value)), ErrorCode.ERROR_CODE_INVALID_ARGUMENT, "priority: " + value);
        }
    }

    @Test
    void noGroupsAndTooManyGroups() {
        assertRefused(with(JobSpec.Builder::clearGroups), ErrorCode.ERROR_CODE_INVALID_ARGUMENT, "groups: empty");
        List<TaskGroup> many = new ArrayList<>();
        TaskGroup one = Api.shellJob("x", 1, "true").getSpec().getGroups(0);
        for (int i = 0; i < 1_001; i++) {
            many.add(one.toBuilder().setName("g" + i).build());
        }
        assertRefused(
                with(spec -> spec.clearGroups().addAllGroups(many)),
                ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                "groups: 1001");
        assertRefused(with(spec -> spec.addGroups(one)), ErrorCode.ERROR_CODE_INVALID_ARGUMENT, "\"worker\"", "unique");
    }

    @Test
    void enumsThatThisServerDoesNotKnow() {
        assertRefused(with(spec -> spec.setTypeValue(99)), ErrorCode.ERROR_CODE_INVALID_ARGUMENT, "type: ");
        assertRefused(with(spec -> spec.setOnLeaseEndValue(99)), ErrorCode.ERROR_CODE_INVALID_ARGUMENT, "onLeaseEnd: ");
        assertRefused(
                withResources(r ->
                        r.addDevices(DeviceRequest.newBuilder().setKindValue(99).setCount(1))),
                ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                "devices.kind");
    }

    @Test
    void commandsPathsAndEnvironments() {
        assertRefused(
                withGroup(TaskGroup.Builder::clearCommand), ErrorCode.ERROR_CODE_INVALID_ARGUMENT, "command: empty");
        assertRefused(
                withGroup(group -> group.setCommand(0, "nul\0l")), ErrorCode.ERROR_CODE_INVALID_ARGUMENT, "no NUL");
        assertRefused(
                withGroup(group -> group.setWorkingDir("/tmp/../etc")),
                ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                "workingDir");
        assertRefused(
                withGroup(group -> group.addEnv(EnvVar.newBuilder().setName("SURESTATE_TOKEN"))),
                ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                "SURESTATE_");
        assertRefused(
                withGroup(group -> group.addEnv(EnvVar.newBuilder().setName("1A"))),
                ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                "env: ");
    }

    @Test
    void amountsOfResources() {
        assertRefused(
                withResources(r -> r.setNetworkBitsPerSecond(-1)), ErrorCode.ERROR_CODE_INVALID_ARGUMENT, "network");
        assertRefused(
                withResources(r -> r.setStorageBytes(Long.MAX_VALUE)),
                ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                "storage");
        assertRefused(
                withResources(r -> r.addDevices(
                        DeviceRequest.newBuilder().setKindValue(1).setCount(1).setShareMilli(1_001))),
                ErrorCode.ERROR_CODE_INVALID_ARGUMENT,
                "share");
    }

    @ParameterizedTest
    @ValueSource(strings = {"has space", "über", "a/b"})
    void requestIds(String id) {
        assertThatThrownBy(() -> api.submit(Api.shellJob("fine", 1, "true"), id))
                .isInstanceOfSatisfying(
                        SurestateException.class,
                        refused -> assertThat(refused.detail().getCode())
                                .isEqualTo(ErrorCode.ERROR_CODE_INVALID_ARGUMENT));
    }

    /** The client library fills it in, so this one comes from a client of another make. */
    @Test
    void noRequestIdAtAll() {
        ManagedChannel bare = NettyChannelBuilder.forTarget(
                        String.valueOf(api.client().endpoints().current()))
                .usePlaintext()
                .build();
        try {
            assertThatThrownBy(() -> JobsGrpc.newBlockingStub(bare)
                            .submitJob(SubmitJobRequest.newBuilder()
                                    .setJob(Api.shellJob("fine", 1, "true"))
                                    .build()))
                    .isInstanceOf(StatusRuntimeException.class)
                    .hasMessageContaining("INVALID_ARGUMENT")
                    .hasMessageContaining("header.requestId");
        } finally {
            bare.shutdownNow();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"not base64!", "bm90LW91cnM", "MTIzNDU2Nzg5L3g"})
    void pageTokensThatAreNotOurs(String token) {
        assertThatThrownBy(() -> api.client()
                        .call(
                                JobsGrpc.getListJobsMethod(),
                                ListJobsRequest.newBuilder()
                                        .setPage(PageRequest.newBuilder().setToken(token))
                                        .build(),
                                SOON))
                .isInstanceOfSatisfying(
                        SurestateException.class,
                        refused -> assertThat(refused.detail().getMessage()).contains("page.token"));
    }

    private static void assertCordonRefused(CordonNodeRequest.Builder asked, String words) {
        assertThatThrownBy(() -> api.client().call(NodesGrpc.getCordonNodeMethod(), asked.build(), SOON))
                .isInstanceOfSatisfying(SurestateException.class, refused -> {
                    assertThat(refused.detail().getCode()).isEqualTo(ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
                    assertThat(refused.detail().getMessage()).contains(words).contains("(expected: ");
                });
    }

    @Test
    void cordonsOfNothingAndForTooLong() {
        CordonNodeRequest.Builder drain =
                CordonNodeRequest.newBuilder().setName("n1").setDrain(true);
        for (String name : badNames()) {
            assertCordonRefused(drain.clone().setName(name), "name: ");
        }
        for (long deadline : new long[] {-1, 999, Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertCordonRefused(drain.clone().setDeadlineAfterMillis(deadline), "deadline: " + deadline);
        }
        assertCordonRefused(drain.clone().setDrain(false).setDeadlineAfterMillis(5_000), "deadline: 5000");
        assertCordonRefused(drain.clone().setExpectedEpoch(-1), "expectedEpoch: -1");
        assertCordonRefused(drain.clone().setReason("x".repeat(513)), "reason");
    }

    @Test
    void bytesThatAreNoMessage() {
        byte[] whole = SubmitJobRequest.newBuilder()
                .setJob(Api.shellJob("cut", 3, "true"))
                .build()
                .toByteArray();
        for (int length : new int[] {1, whole.length / 2, whole.length - 1}) {
            assertThatThrownBy(() -> submitRaw(Arrays.copyOf(whole, length)))
                    .isInstanceOfSatisfying(StatusRuntimeException.class, refused -> {
                        assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.INVALID_ARGUMENT);
                        assertThat(refused.getStatus().getDescription()).contains("request: bytes that are no message");
                    });
        }
    }

    @Test
    void aMessageOfTwentyMegabytes() {
        byte[] huge = SubmitJobRequest.newBuilder()
                .setJob(Api.shellJob("huge", 1, "x".repeat(20_000_000)))
                .build()
                .toByteArray();
        assertThatThrownBy(() -> submitRaw(huge))
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        refused -> assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED));
        await().atMost(SOON).until(() -> api.job("present").getJob().getName().equals("present"));
    }

    private static void submitRaw(byte[] bytes) {
        MethodDescriptor<byte[], byte[]> raw = JobsGrpc.getSubmitJobMethod().toBuilder(new Bytes(), new Bytes())
                .build();
        ManagedChannel channel = NettyChannelBuilder.forTarget(
                        layout.endpoint(0).toString())
                .usePlaintext()
                .build();
        try {
            ClientCalls.blockingUnaryCall(channel, raw, CallOptions.DEFAULT, bytes);
        } finally {
            channel.shutdownNow();
        }
    }

    private static final class Bytes implements MethodDescriptor.Marshaller<byte[]> {
        @Override
        public InputStream stream(byte[] value) {
            return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
            try {
                return stream.readAllBytes();
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }
    }
}
