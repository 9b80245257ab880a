package io.surestate.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.surestate.api.v1.ClusterGrpc;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.ErrorDetail;
import io.surestate.api.v1.GetJobRequest;
import io.surestate.api.v1.GetJobResponse;
import io.surestate.api.v1.GetStatusRequest;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.api.v1.ReadOutputRequest;
import io.surestate.api.v1.ReadOutputResponse;
import io.surestate.api.v1.RequestHeader;
import io.surestate.api.v1.SubmitJobRequest;
import io.surestate.api.v1.SubmitJobResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClusterClientTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(300);

    private final FakeServer first = new FakeServer();
    private final FakeServer second = new FakeServer();
    private final ClusterClient client = new ClusterClient(List.of(first.endpoint(), second.endpoint()), new Random(1));

    @AfterEach
    void stop() {
        client.close();
        first.close();
        second.close();
    }

    @Test
    void answersFromTheFirstServer() {
        assertThat(get("a").getJob().getName()).isEqualTo("a");
        assertThat(second.read).isEmpty();
    }

    @Test
    void followsTheLeaderHintAndSticksToIt() {
        first.refusals.add(notLeader(second.endpoint()));
        submit("r1", LONG);
        submit("r2", LONG);
        assertThat(first.submitted).containsExactly("r1");
        assertThat(second.submitted).containsExactly("r1", "r2");
    }

    @Test
    void followsAHintToAServerThatIsNotListed() {
        try (FakeServer third = new FakeServer()) {
            first.refusals.add(notLeader(third.endpoint()));
            submit("r1", LONG);
            assertThat(third.submitted).containsExactly("r1");
        }
    }

    @Test
    void movesOnFromAServerThatIsGone() {
        first.close();
        assertThat(submit("r1", LONG).getRevision()).isEqualTo(7);
        assertThat(second.submitted).containsExactly("r1");
    }

    @Test
    void repeatsWhatIsUnavailableWithTheSameRequestId() {
        for (int i = 0; i < 3; i++) {
            first.refusals.add(FakeServer.refusal(ErrorCode.ERROR_CODE_UNAVAILABLE));
            second.refusals.add(FakeServer.refusal(ErrorCode.ERROR_CODE_UNAVAILABLE));
        }
        submit("r1", LONG);
        List<String> all = new ArrayList<>(first.submitted);
        all.addAll(second.submitted);
        assertThat(all).hasSize(7).containsOnly("r1");
    }

    @Test
    void doesNotRepeatARefusalOfTheContent() {
        first.refusals.add(FakeServer.refusal(ErrorCode.ERROR_CODE_INVALID_ARGUMENT));
        SurestateException refused = refused("r1", LONG);
        assertThat(refused.code()).isEqualTo(ErrorCode.ERROR_CODE_INVALID_ARGUMENT);
        assertThat(refused.outcomeUnknown()).isFalse();
        assertThat(first.submitted).hasSize(1);
        assertThat(second.submitted).isEmpty();
    }

    @Test
    void saysThatTheOutcomeIsUnknownWhenNobodyAnswersASentMutation() {
        submit("r0", LONG);
        first.silent = true;
        second.silent = true;
        SurestateException refused = refused("r1", Duration.ofSeconds(2));
        assertThat(refused.outcomeUnknown()).isTrue();
        assertThat(refused.requestId()).isEqualTo("r1");
        assertThat(refused).hasMessageContaining("r1");
    }

    @Test
    void saysThatNothingHappenedWhenTheMutationWasNeverSent() {
        first.close();
        second.close();
        SurestateException refused = refused("r1", SHORT);
        assertThat(refused.code()).isEqualTo(ErrorCode.ERROR_CODE_UNAVAILABLE);
        assertThat(refused.outcomeUnknown()).isFalse();
    }

    @Test
    void givesAMutationOneIdForAllAttempts() {
        ErrorDetail doubtful = FakeServer.refusal(ErrorCode.ERROR_CODE_UNAVAILABLE).toBuilder()
                .setOutcomeUnknown(true)
                .build();
        first.refusals.add(doubtful);
        submit("", LONG);
        assertThat(first.submitted).singleElement().asString().matches("[0-9a-f]{32}");
        assertThat(second.submitted).isEqualTo(first.submitted);
    }

    @Test
    void setsTheExpiryFromTheClustersClockOnceItKnowsIt() {
        submit("", LONG);
        first.timeMillis = 5_000_000;
        client.call(ClusterGrpc.getGetStatusMethod(), GetStatusRequest.getDefaultInstance(), LONG);
        first.refusals.add(FakeServer.refusal(ErrorCode.ERROR_CODE_UNAVAILABLE));
        submit("r1", LONG);
        assertThat(first.headers.get(0).getExpiresMillis()).isZero();
        long expires = first.headers.get(1).getExpiresMillis();
        assertThat(expires).isBetween(5_600_000L, 5_700_000L);
        assertThat(second.headers.get(0).getExpiresMillis()).isEqualTo(expires);
    }

    @Test
    void acknowledgesWhatItMadeTheIdsOfSixtyFourAtATime() {
        submit("mine", LONG);
        for (int i = 0; i < 64; i++) {
            submit("", LONG);
        }
        await().atMost(LONG).until(() -> !first.acknowledged.isEmpty());
        assertThat(first.acknowledged.get(0).getRequestIdsList()).isEqualTo(first.submitted.subList(1, 65));
    }

    @Test
    void acknowledgesTheRestWhenItIsClosedAndDoesNotMindAFailure() {
        submit("", LONG);
        client.close();
        assertThat(first.acknowledged).hasSize(1);
        client.close();
        assertThat(first.acknowledged).hasSize(1);
    }

    @Test
    void aRefusalOfUnknownOutcomeSaysHowToAsk() {
        submit("r0", LONG);
        first.silent = true;
        second.silent = true;
        assertThat(refused("", Duration.ofSeconds(2)))
                .hasMessageContaining("ssctl request get " + first.submitted.get(1));
    }

    @Test
    void keepsTheServersWordThatTheOutcomeIsUnknownUntilAVerdictComes() {
        first.refusals.add(FakeServer.refusal(ErrorCode.ERROR_CODE_UNAVAILABLE).toBuilder()
                .setOutcomeUnknown(true)
                .build());
        second.refusals.add(FakeServer.refusal(ErrorCode.ERROR_CODE_ALREADY_EXISTS));
        SurestateException refused = refused("r1", LONG);
        assertThat(refused.code()).isEqualTo(ErrorCode.ERROR_CODE_ALREADY_EXISTS);
        assertThat(refused.outcomeUnknown()).isFalse();
    }

    @Test
    void streamsFromTheServerThatServes() {
        first.refusals.add(notLeader(second.endpoint()));
        List<Long> offsets = new ArrayList<>();
        try (AnswerStream<ReadOutputResponse> stream =
                client.stream(JobsGrpc.getReadOutputMethod(), ReadOutputRequest.getDefaultInstance(), LONG)) {
            stream.forEachRemaining(r -> offsets.add(r.getOffset()));
        }
        assertThat(offsets).containsExactly(0L, 1L, 2L, 3L);
        assertThat(second.read).hasSize(1);
    }

    @Test
    void refusalOfAStreamIsTyped() {
        first.refusals.add(FakeServer.refusal(ErrorCode.ERROR_CODE_NOT_FOUND));
        try (AnswerStream<ReadOutputResponse> stream =
                client.stream(JobsGrpc.getReadOutputMethod(), ReadOutputRequest.getDefaultInstance(), LONG)) {
            assertThatThrownBy(stream::hasNext)
                    .isInstanceOfSatisfying(
                            SurestateException.class,
                            e -> assertThat(e.code()).isEqualTo(ErrorCode.ERROR_CODE_NOT_FOUND));
        }
    }

    private static ErrorDetail notLeader(Endpoint leader) {
        return FakeServer.refusal(ErrorCode.ERROR_CODE_NOT_LEADER).toBuilder()
                .setLeaderHint(leader.toString())
                .build();
    }

    private GetJobResponse get(String job) {
        return client.call(
                JobsGrpc.getGetJobMethod(),
                GetJobRequest.newBuilder().setJob(job).build(),
                LONG);
    }

    private SubmitJobResponse submit(String requestId, Duration timeout) {
        SubmitJobRequest request = SubmitJobRequest.newBuilder()
                .setHeader(RequestHeader.newBuilder().setRequestId(requestId))
                .build();
        return client.call(JobsGrpc.getSubmitJobMethod(), request, timeout);
    }

    private SurestateException refused(String requestId, Duration timeout) {
        return catchThrowableOfType(SurestateException.class, () -> submit(requestId, timeout));
    }
}
