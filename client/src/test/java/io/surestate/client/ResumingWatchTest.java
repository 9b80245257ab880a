package io.surestate.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.WatchEvent;
import io.surestate.api.v1.WatchFilter;
import io.surestate.api.v1.WatchRequest;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ResumingWatchTest {
    private static final WatchFilter JOBS =
            WatchFilter.newBuilder().setJobs(true).build();
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final FakeWatch first = new FakeWatch();
    private final FakeWatch second = new FakeWatch();
    private final ClusterClient client = new ClusterClient(List.of(first.endpoint(), second.endpoint()), new Random(1));

    @AfterEach
    void stop() {
        client.close();
        first.close();
        second.close();
    }

    private ResumingWatch changes() {
        return new ResumingWatch(
                client,
                WatchRequest.newBuilder().setFilter(JOBS).setFromRevision(4).build(),
                PATIENCE);
    }

    private ResumingWatch list() {
        return new ResumingWatch(
                client,
                WatchRequest.newBuilder().setFilter(JOBS).setInitialList(true).build(),
                PATIENCE);
    }

    private static List<String> jobs(WatchBatch batch) {
        return batch.events().stream()
                .map(WatchEvent::getJob)
                .map(job -> job.getUid())
                .toList();
    }

    @Test
    void goesOnAtAnotherServerAfterTheLastWholeRevision() {
        first.then(
                FakeWatch.gone(), FakeWatch.revision(5, "a"), FakeWatch.fragment(6, "b"), FakeWatch.fragment(6, "c"));
        second.thenStays(
                FakeWatch.fragment(6, "b"),
                FakeWatch.fragment(6, "c"),
                FakeWatch.revision(6, "d"),
                FakeWatch.revision(7, "e"));
        try (ResumingWatch watch = changes()) {
            assertThat(jobs(watch.next().orElseThrow())).containsExactly("a");
            assertThat(jobs(watch.next().orElseThrow())).containsExactly("b", "c", "d");
            assertThat(jobs(watch.next().orElseThrow())).containsExactly("e");
        }
        assertThat(first.asked.get(0).getFromRevision()).isEqualTo(4);
        assertThat(second.asked.get(0).getResumeToken()).isEqualTo("after-5");
        assertThat(second.asked.get(0).getFromRevision()).isZero();
        assertThat(second.asked.get(0).getFilter()).isEqualTo(JOBS);
    }

    @Test
    void aListThatBreaksBeginsAnew() {
        first.then(FakeWatch.gone(), FakeWatch.listPart(5, "a"));
        second.thenStays(FakeWatch.listPart(6, "a"), FakeWatch.list(6, "b"), FakeWatch.revision(7, "c"));
        try (ResumingWatch watch = list()) {
            assertThat(watch.next().orElseThrow().kind()).isEqualTo(WatchBatch.Kind.LIST_BEGINS);
            WatchBatch again = watch.next().orElseThrow();
            assertThat(again.kind()).isEqualTo(WatchBatch.Kind.LIST_BEGINS);
            assertThat(again.revision()).isEqualTo(6);
            assertThat(watch.next().orElseThrow().kind()).isEqualTo(WatchBatch.Kind.LIST_ENDS);
            assertThat(watch.next().orElseThrow().kind()).isEqualTo(WatchBatch.Kind.CHANGES);
        }
        assertThat(second.asked.get(0).getInitialList()).isTrue();
    }

    @Test
    void usesTheTokenOfACut() {
        first.then(
                FakeServer.refusal(ErrorCode.ERROR_CODE_RESOURCE_EXHAUSTED).toBuilder()
                        .setResumeToken("cut-here")
                        .build(),
                FakeWatch.revision(5, "a"));
        second.thenStays(FakeWatch.revision(6, "b"));
        try (ResumingWatch watch = changes()) {
            watch.next();
            watch.next();
        }
        assertThat(second.asked.get(0).getResumeToken()).isEqualTo("cut-here");
    }

    @Test
    void saysOnceThatWhatItMissedIsGone() {
        first.then(FakeServer.refusal(ErrorCode.ERROR_CODE_COMPACTED));
        try (ResumingWatch watch = changes()) {
            SurestateException refused = catchThrowableOfType(SurestateException.class, watch::next);
            assertThat(refused.code()).isEqualTo(ErrorCode.ERROR_CODE_COMPACTED);
        }
        assertThat(first.asked).hasSize(1);
        assertThat(second.asked).isEmpty();
    }

    @Test
    void saysThatNoServerServesItWhenPatienceIsOver() {
        first.close();
        second.close();
        try (ResumingWatch watch =
                new ResumingWatch(client, WatchRequest.getDefaultInstance(), Duration.ofMillis(300))) {
            SurestateException refused = catchThrowableOfType(SurestateException.class, watch::next);
            assertThat(refused.detail().getRetryable()).isTrue();
        }
    }

    @Test
    void leavesASilentServerForTheNextWithoutAWord() {
        first.thenStays(FakeWatch.revision(5, "a"));
        second.thenStays(FakeWatch.revision(6, "b"));
        List<Endpoint> servers = List.of(first.endpoint(), second.endpoint());
        try (ClusterClient hasty = new ClusterClient(servers, new Random(1), new HastyClock(), 1);
                ResumingWatch watch =
                        new ResumingWatch(hasty, WatchRequest.getDefaultInstance(), Duration.ofMillis(300))) {
            assertThat(jobs(watch.next().orElseThrow())).containsExactly("a");
            assertThat(jobs(watch.next().orElseThrow())).containsExactly("b");
        }
    }

    @Test
    void goesOnAfterItSaidThatNoServerServes() {
        first.then(FakeWatch.gone(), FakeWatch.revision(5, "a"));
        for (int i = 0; i < 3; i++) {
            first.then(FakeWatch.gone());
            second.then(FakeWatch.gone());
        }
        first.thenStays(FakeWatch.revision(6, "b"));
        second.thenStays(FakeWatch.revision(6, "b"));
        try (ResumingWatch watch = new ResumingWatch(client, WatchRequest.getDefaultInstance(), Duration.ZERO)) {
            assertThat(jobs(watch.next().orElseThrow())).containsExactly("a");
            for (int i = 0; i < 7; i++) {
                assertThatThrownBy(watch::next).isInstanceOf(SurestateException.class);
            }
            assertThat(jobs(watch.next().orElseThrow())).containsExactly("b");
        }
    }

    /** Ten times as fast as the machine's. */
    private static final class HastyClock implements ClientClock {
        private static final int TIMES = 10;

        @Override
        public long nanos() {
            return System.nanoTime() * TIMES;
        }

        @Override
        public void sleepMillis(long millis) throws InterruptedException {
            Thread.sleep(millis / TIMES);
        }
    }

    @Test
    void tellsTheClientTheClustersTime() {
        first.thenStays(FakeWatch.revision(5, "a"));
        try (ResumingWatch watch = changes()) {
            watch.next();
        }
        assertThat(client.clusterTime().nowMillis().orElseThrow()).isBetween(5_000L, 60_000L);
    }

    @Test
    void aClosedWatchTellsNothing() {
        ResumingWatch watch = changes();
        watch.close();
        assertThat(watch.next()).isEmpty();
    }
}
