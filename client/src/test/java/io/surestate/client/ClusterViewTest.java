package io.surestate.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Hold;
import io.surestate.api.v1.HoldState;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.WatchEvent;
import io.surestate.api.v1.WatchFilter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ClusterViewTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final WatchFilter ALL = WatchFilter.getDefaultInstance();

    private final FakeWatch server = new FakeWatch();
    private final ClusterClient client = new ClusterClient(List.of(server.endpoint()), new Random(1));
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<String> told = Collections.synchronizedList(new ArrayList<>());
    private final ViewListener listener = new ViewListener() {
        @Override
        public void changed(ClusterPicture now, List<WatchEvent> events) {
            told.add("changed " + now.revision());
        }

        @Override
        public void listed(ClusterPicture now) {
            told.add("listed " + now.revision());
        }
    };

    @AfterEach
    void stop() {
        client.close();
        server.close();
        threads.shutdownNow();
    }

    private ClusterView open() {
        return ClusterView.open(client, ALL, threads, List.of(listener));
    }

    private static List<String> uids(ClusterPicture picture) {
        return picture.jobs().stream().map(Job::getUid).toList();
    }

    @Test
    void showsOnlyWholeRevisions() throws Exception {
        server.thenStays(
                FakeWatch.listPart(5, "a"),
                FakeWatch.list(5, "b"),
                FakeWatch.fragment(6, "c"),
                FakeWatch.revision(6, "d"),
                FakeWatch.revision(7));
        try (ClusterView view = open()) {
            ClusterPicture picture = view.awaitRevision(7, LONG).orElseThrow();
            assertThat(uids(picture)).containsExactly("a", "b", "c", "d");
            assertThat(picture.timeMillis()).isEqualTo(7_000);
            assertThat(told).containsExactly("listed 5", "changed 6");
            assertThat(view.staleness().connected()).isTrue();
            assertThat(view.staleness().revision()).isEqualTo(7);
        }
    }

    @Test
    void goesOnAfterABreakWithoutListingAgain() throws Exception {
        server.then(FakeWatch.gone(), FakeWatch.list(5, "a")).thenStays(FakeWatch.revision(6, "b"));
        try (ClusterView view = open()) {
            assertThat(uids(view.awaitRevision(6, LONG).orElseThrow())).containsExactly("a", "b");
        }
        assertThat(server.asked).hasSize(2);
        assertThat(server.asked.get(1).getResumeToken()).isEqualTo("after-5");
    }

    @Test
    void listsAgainWhenItMissedTooMuch() throws Exception {
        server.then(FakeWatch.gone(), FakeWatch.list(5, "a", "b"))
                .then(FakeServer.refusal(ErrorCode.ERROR_CODE_COMPACTED))
                .thenStays(FakeWatch.list(90, "b", "c"));
        try (ClusterView view = open()) {
            assertThat(uids(view.awaitRevision(90, LONG).orElseThrow())).containsExactly("b", "c");
            // Listeners are told after the picture is there for those who wait for it.
            await().atMost(LONG).until(() -> told.equals(List.of("listed 5", "listed 90")));
        }
        assertThat(server.asked.get(2).getInitialList()).isTrue();
    }

    @Test
    void saysHowStaleItIsWhileNoServerAnswers() throws Exception {
        server.thenStays(FakeWatch.list(5, "a"));
        try (ClusterView view = open()) {
            view.awaitRevision(5, LONG);
            server.close();
            await().atMost(LONG).until(() -> !view.staleness().connected());
            assertThat(view.staleness().lastFailure()).isPresent();
            assertThat(view.staleness().sinceHeard()).isPositive();
            assertThat(uids(view.picture())).containsExactly("a");
            assertThat(view.awaitRevision(6, Duration.ofMillis(10))).isEmpty();
        }
    }

    @Test
    void aRefusedViewSaysSo() {
        server.then(FakeServer.refusal(ErrorCode.ERROR_CODE_PERMISSION_DENIED));
        try (ClusterView view = open()) {
            SurestateException refused =
                    catchThrowableOfType(SurestateException.class, () -> view.awaitRevision(1, LONG));
            assertThat(refused.code()).isEqualTo(ErrorCode.ERROR_CODE_PERMISSION_DENIED);
        }
        assertThat(server.asked).hasSize(1);
    }

    @Test
    void closingGivesTheThreadBack() throws Exception {
        server.thenStays(FakeWatch.list(5, "a"));
        ClusterView view = open();
        view.awaitRevision(5, LONG);
        view.close();
        threads.shutdown();
        assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void refusesAFilterWhoseJobsItCouldNotForget() {
        assertThatThrownBy(() -> ClusterView.open(
                        client, WatchFilter.newBuilder().setNode("n").build(), threads))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("filter.node");
    }

    @Test
    void aPictureFollowsEveryKindOfChangeAndNeverChangesItself() {
        ClusterPicture before = ClusterPicture.empty();
        ClusterPicture full = before.with(List.of(
                WatchEvent.newBuilder().setJob(Job.newBuilder().setUid("j")).build(),
                WatchEvent.newBuilder()
                        .setTask(Task.newBuilder().setJobUid("j").setGroup("g").setIndex(1))
                        .build(),
                WatchEvent.newBuilder().setNode(Node.newBuilder().setName("n")).build(),
                WatchEvent.newBuilder()
                        .setAllocation(Allocation.newBuilder().setNode("n").setId("x"))
                        .build(),
                WatchEvent.newBuilder()
                        .setHold(Hold.newBuilder().setId("h").setState(HoldState.HOLD_STATE_STANDING))
                        .build()));
        ClusterPicture after = full.with(List.of(
                WatchEvent.newBuilder().setJobRemoved("j").build(),
                WatchEvent.newBuilder().setNodeRemoved("n").build(),
                WatchEvent.newBuilder()
                        .setAllocationReleased(
                                Allocation.newBuilder().setNode("n").setId("x"))
                        .build(),
                WatchEvent.newBuilder()
                        .setHold(Hold.newBuilder().setId("h").setState(HoldState.HOLD_STATE_EXPIRED))
                        .build()));
        assertThat(full.job("j")).isPresent();
        assertThat(full.tasks("j")).hasSize(1);
        assertThat(full.node("n")).isPresent();
        assertThat(full.allocations("n")).hasSize(1);
        assertThat(full.hold("h")).isPresent();
        for (ClusterPicture nothing : List.of(before, after)) {
            assertThat(nothing.jobs()).isEmpty();
            assertThat(nothing.tasks("j")).isEmpty();
            assertThat(nothing.nodes()).isEmpty();
            assertThat(nothing.allocations("n")).isEmpty();
            assertThat(nothing.holds()).isEmpty();
        }
    }
}
