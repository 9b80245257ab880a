package io.surestate.server.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.Limits;
import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.ClusterMeta;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.ErrorDetail;
import io.surestate.api.v1.Hold;
import io.surestate.api.v1.HoldState;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.JobStatus;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskGroup;
import io.surestate.api.v1.TaskRef;
import io.surestate.api.v1.WatchEvent;
import io.surestate.api.v1.WatchFilter;
import io.surestate.api.v1.WatchResponse;
import io.surestate.server.api.Refused;
import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.StateEngine;
import io.surestate.statemachine.StateView;
import io.surestate.statemachine.state.Change;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.Ids;
import io.surestate.statemachine.store.InMemoryStateStore;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WatcherTest {
    private static final long SECOND = 1_000_000_000L;
    private static final WatchFilter EVERYTHING = WatchFilter.getDefaultInstance();

    private final WatchFeed feed = new WatchFeed(8, 100_000);
    private final Sink sink = new Sink();
    private ClusterState state = ClusterState.empty()
            .apply(new Change.MetaPut(
                    ClusterMeta.newBuilder().setClusterId("c").setHistoryId("h").build()));
    private long revision;
    private long now;

    /** Takes as many messages as it is told to. */
    private static final class Sink implements WatchSink {
        private final List<WatchResponse> got = new ArrayList<>();
        private final List<ErrorDetail> ends = new ArrayList<>();
        private int room = Integer.MAX_VALUE;

        @Override
        public boolean ready() {
            return room > 0;
        }

        @Override
        public void send(WatchResponse message) {
            assertThat(ready()).isTrue();
            assertThat(ends).isEmpty();
            room--;
            got.add(message);
        }

        @Override
        public void end(Refused why) {
            ends.add(why.detail());
        }

        List<Long> revisions() {
            return got.stream().map(WatchResponse::getRevision).toList();
        }

        List<WatchEvent> events() {
            return got.stream().flatMap(m -> m.getEventsList().stream()).toList();
        }

        WatchResponse last() {
            return got.get(got.size() - 1);
        }
    }

    private void apply(Change... changes) {
        revision++;
        state = state.apply(List.of(changes)).at(revision, 1);
        feed.applied(List.of(new AppliedEntry(revision, revision * 1_000, List.of(), List.of(changes))));
    }

    private StateView view() {
        try (StateEngine engine = StateEngine.open(new InMemoryStateStore())) {
            return new StateView(state, engine.view().history(), revision, 1);
        }
    }

    private Watcher after(long from, WatchFilter filter) {
        return Watcher.after(feed, WatchScope.of(filter, new JobTenants(this::view)), "h", feed.markOf(from));
    }

    private Watcher listing(WatchFilter filter) {
        return Watcher.listing(feed, WatchScope.of(filter, new JobTenants(this::view)), view());
    }

    /** Turns until there is nothing to do. */
    private Watcher.Turn run(Watcher watcher) {
        Watcher.Turn turn = watcher.turn(sink, now);
        while (turn == Watcher.Turn.AGAIN) {
            turn = watcher.turn(sink, now);
        }
        return turn;
    }

    private static Change node(String name) {
        return new Change.NodePut(
                Node.newBuilder().setName(name).setId("id-" + name).build());
    }

    private static Job job(long index, String tenant, int tasks) {
        return Job.newBuilder()
                .setUid(Ids.of(index, 0))
                .setName("job-" + index)
                .setTenant(tenant)
                .setSpec(JobSpec.newBuilder()
                        .addGroups(TaskGroup.newBuilder().setName("w").setCount(tasks)))
                .setStatus(JobStatus.newBuilder().setPhase(JobPhase.JOB_PHASE_PENDING))
                .build();
    }

    private static Change task(Job job, int index, String node) {
        return new Change.TaskPut(Task.newBuilder()
                .setJobUid(job.getUid())
                .setGroup("w")
                .setIndex(index)
                .setNode(node)
                .build());
    }

    private static Change[] changes(Job job, int tasks) {
        List<Change> all = new ArrayList<>(List.of(new Change.JobPut(job)));
        IntStream.range(0, tasks).forEach(i -> all.add(task(job, i, "")));
        return all.toArray(Change[]::new);
    }

    private static Allocation allocation(String id, String node, Job job) {
        return Allocation.newBuilder()
                .setId(id)
                .setNode(node)
                .setTenant(job.getTenant())
                .setState(AllocationState.ALLOCATION_STATE_BOUND)
                .setTask(TaskRef.newBuilder().setJobUid(job.getUid()).setGroup("w"))
                .build();
    }

    @Test
    void firstSaysWhereItStandsThenTellsEveryChangeOnceAndInOrder() {
        apply(node("a"));
        Watcher watcher = after(1, EVERYTHING);
        run(watcher);
        apply(node("b"));
        apply(node("c"), node("d"));
        run(watcher);
        assertThat(sink.revisions()).containsExactly(1L, 2L, 3L);
        assertThat(sink.events()).extracting(e -> e.getNode().getName()).containsExactly("b", "c", "d");
        assertThat(sink.got).allMatch(WatchResponse::getLastInRevision);
        assertThat(sink.last().getTimeMillis()).isEqualTo(3_000);
        assertThat(ResumeToken.decode(sink.last().getResumeToken())).isEqualTo(new ResumeToken("h", 3));
    }

    @Test
    void nothingIsSentWhileTheTransportIsNotReady() {
        apply(node("a"));
        Watcher watcher = after(1, EVERYTHING);
        sink.room = 2;
        run(watcher);
        apply(node("b"));
        apply(node("c"));
        assertThat(run(watcher)).isEqualTo(Watcher.Turn.WAIT);
        assertThat(sink.revisions()).containsExactly(1L, 2L);
        sink.room = 1;
        run(watcher);
        assertThat(sink.revisions()).containsExactly(1L, 2L, 3L);
    }

    @Test
    void aLargeRevisionComesInFragmentsOfWhichOnlyTheLastCanBeResumedFrom() {
        apply(node("a"));
        Watcher watcher = after(1, EVERYTHING);
        run(watcher);
        int tasks = 2 * Limits.WATCH_EVENTS_PER_MESSAGE_MAX + 500;
        apply(changes(job(2, "t", tasks), tasks));
        sink.room = 1;
        run(watcher);
        assertThat(sink.last().getLastInRevision()).isFalse();
        assertThat(sink.last().getResumeToken()).isEmpty();
        sink.room = 5;
        run(watcher);
        assertThat(sink.got).hasSize(4);
        assertThat(sink.last().getLastInRevision()).isTrue();
        assertThat(sink.last().getResumeToken()).isNotEmpty();
        assertThat(sink.events()).hasSize(tasks + 1);
    }

    @Test
    void theInitialListIsOfOneRevisionAndTheChangesGoOnAfterIt() {
        Job job = job(3, "t", 1);
        apply(node("a"));
        apply(node("b"));
        apply(changes(job, 1));
        apply(new Change.AllocationPut(allocation("x", "b", job)));
        Watcher watcher = listing(EVERYTHING);
        apply(node("c"));
        sink.room = 1;
        run(watcher);
        WatchResponse list = sink.last();
        assertThat(list.getInitial()).isTrue();
        assertThat(list.getLastInRevision()).isTrue();
        assertThat(list.getRevision()).isEqualTo(4);
        assertThat(list.getEventsList())
                .extracting(WatchEvent::getChangeCase)
                .containsExactly(
                        WatchEvent.ChangeCase.NODE,
                        WatchEvent.ChangeCase.NODE,
                        WatchEvent.ChangeCase.ALLOCATION,
                        WatchEvent.ChangeCase.JOB,
                        WatchEvent.ChangeCase.TASK);
        sink.room = 5;
        run(watcher);
        assertThat(sink.last().getInitial()).isFalse();
        assertThat(sink.last().getRevision()).isEqualTo(5);
        assertThat(sink.last().getEvents(0).getNode().getName()).isEqualTo("c");
    }

    @Test
    void anEmptyListIsOneMessage() {
        apply(node("a"));
        run(listing(WatchFilter.newBuilder().setJobs(true).build()));
        assertThat(sink.got).hasSize(1);
        assertThat(sink.last().getInitial()).isTrue();
        assertThat(sink.last().getLastInRevision()).isTrue();
        assertThat(sink.last().getResumeToken()).isNotEmpty();
    }

    @Test
    void aListThatIsOlderThanWhatIsKeptIsCompacted() {
        int tasks = 3 * Limits.WATCH_EVENTS_PER_MESSAGE_MAX;
        apply(changes(job(1, "t", tasks), tasks));
        Watcher watcher = listing(EVERYTHING);
        sink.room = 1;
        run(watcher);
        for (int i = 0; i < 9; i++) {
            apply(node("n" + i));
        }
        assertThat(run(watcher)).isEqualTo(Watcher.Turn.ENDED);
        assertThat(sink.ends).hasSize(1);
        assertThat(sink.ends.get(0).getCode()).isEqualTo(ErrorCode.ERROR_CODE_COMPACTED);
        assertThat(sink.ends.get(0).getOldestRevision()).isEqualTo(feed.oldest());
        assertThat(run(watcher)).isEqualTo(Watcher.Turn.ENDED);
        assertThat(sink.ends).hasSize(1);
    }

    @Test
    void whatIsNoLongerKeptIsCompactedWithTheOldestRevision() {
        for (int i = 0; i < 12; i++) {
            apply(node("n" + i));
        }
        assertThat(run(after(3, EVERYTHING))).isEqualTo(Watcher.Turn.ENDED);
        assertThat(sink.got).isEmpty();
        assertThat(sink.ends).singleElement().satisfies(end -> {
            assertThat(end.getCode()).isEqualTo(ErrorCode.ERROR_CODE_COMPACTED);
            assertThat(end.getOldestRevision()).isEqualTo(4);
            assertThat(end.getRetryable()).isFalse();
        });
        sink.ends.clear();
        run(after(4, EVERYTHING));
        assertThat(sink.events()).hasSize(8);
    }

    @Test
    void aReaderThatTakesNothingIsCutWhileItsResumeTokenIsStillGood() {
        apply(node("a"));
        Watcher watcher = after(1, EVERYTHING);
        sink.room = 1;
        run(watcher);
        for (int i = 0; i < 7; i++) {
            apply(node("n" + i));
        }
        assertThat(run(watcher)).isEqualTo(Watcher.Turn.WAIT);
        now += 2 * SECOND;
        assertThat(run(watcher)).isEqualTo(Watcher.Turn.ENDED);
        ErrorDetail cut = sink.ends.get(0);
        assertThat(cut.getCode()).isEqualTo(ErrorCode.ERROR_CODE_RESOURCE_EXHAUSTED);
        assertThat(ResumeToken.decode(cut.getResumeToken())).isEqualTo(new ResumeToken("h", 1));
        assertThat(cut.getMessage()).contains(cut.getResumeToken());
        sink.ends.clear();
        sink.room = 100;
        run(after(ResumeToken.decode(cut.getResumeToken()).revision(), EVERYTHING));
        assertThat(sink.events()).hasSize(7);
    }

    @Test
    void aReaderThatLostItsPlaceIsCutNotCompacted() {
        apply(node("a"));
        Watcher watcher = after(1, EVERYTHING);
        sink.room = 1;
        run(watcher);
        for (int i = 0; i < 20; i++) {
            apply(node("n" + i));
        }
        assertThat(run(watcher)).isEqualTo(Watcher.Turn.ENDED);
        assertThat(sink.ends.get(0).getCode()).isEqualTo(ErrorCode.ERROR_CODE_RESOURCE_EXHAUSTED);
    }

    @Test
    void anIdleWatchMarksItsProgressOverWhatTheFilterHides() {
        apply(node("a"));
        Watcher watcher = after(1, WatchFilter.newBuilder().setJobs(true).build());
        run(watcher);
        apply(node("b"));
        run(watcher);
        assertThat(sink.got).hasSize(1);
        now += SECOND;
        run(watcher);
        assertThat(sink.got).hasSize(2);
        assertThat(sink.last().getRevision()).isEqualTo(2);
        assertThat(sink.last().getTimeMillis()).isEqualTo(2_000);
        assertThat(sink.last().getEventsList()).isEmpty();
        now += 4 * SECOND;
        run(watcher);
        assertThat(sink.got).hasSize(2);
        now += SECOND;
        run(watcher);
        assertThat(sink.last().getRevision()).isEqualTo(2);
        assertThat(sink.got).hasSize(3);
    }

    @Test
    void filtersByTenantJobNodeAndKind() {
        apply(node("a"), node("b"));
        Job mine = job(2, "mine", 1);
        Job other = job(3, "other", 1);
        apply(new Change.JobPut(mine), task(mine, 0, "a"));
        apply(new Change.JobPut(other), task(other, 0, "b"));
        apply(
                new Change.AllocationPut(allocation("x", "a", mine)),
                new Change.AllocationPut(allocation("y", "b", other)));
        assertThat(kinds(WatchFilter.newBuilder().setTenant("mine"))).containsExactly("JOB", "TASK", "ALLOCATION");
        assertThat(kinds(WatchFilter.newBuilder().setJobUid(other.getUid())))
                .containsExactly("JOB", "TASK", "ALLOCATION");
        assertThat(kinds(WatchFilter.newBuilder().setNode("a"))).containsExactly("NODE", "TASK", "ALLOCATION");
        assertThat(kinds(WatchFilter.newBuilder().setNodes(true))).containsExactly("NODE", "NODE");
        assertThat(kinds(WatchFilter.newBuilder().setTenant("mine").setNode("b")))
                .isEmpty();
    }

    /** Told by changes and, in another order, by the initial list. */
    private List<String> kinds(WatchFilter.Builder filter) {
        feed.restored(new StateView(ClusterState.empty(), view().history(), 0, 0));
        List<AppliedEntry> again = new ArrayList<>();
        Job mine = job(2, "mine", 1);
        Job other = job(3, "other", 1);
        again.add(new AppliedEntry(1, 1, List.of(), List.of(node("a"), node("b"))));
        again.add(new AppliedEntry(2, 2, List.of(), List.of(new Change.JobPut(mine), task(mine, 0, "a"))));
        again.add(new AppliedEntry(3, 3, List.of(), List.of(new Change.JobPut(other), task(other, 0, "b"))));
        again.add(new AppliedEntry(
                4,
                4,
                List.of(),
                List.of(
                        new Change.AllocationPut(allocation("x", "a", mine)),
                        new Change.AllocationPut(allocation("y", "b", other)))));
        feed.applied(again);
        sink.got.clear();
        run(after(0, filter.build()));
        List<String> told =
                sink.events().stream().map(e -> e.getChangeCase().name()).toList();
        sink.got.clear();
        run(listing(filter.build()));
        List<String> listed =
                sink.events().stream().map(e -> e.getChangeCase().name()).toList();
        assertThat(listed).containsExactlyInAnyOrderElementsOf(told);
        return told;
    }

    @Test
    void tellsOfHoldsUntilTheyEnd() {
        Hold hold = Hold.newBuilder()
                .setId(Ids.of(1, 0))
                .setTenant("mine")
                .setState(HoldState.HOLD_STATE_STANDING)
                .build();
        apply(node("a"));
        apply(new Change.HoldPut(hold));
        run(listing(WatchFilter.newBuilder().setHolds(true).setTenant("mine").build()));
        run(listing(WatchFilter.newBuilder().setHolds(true).setTenant("other").build()));
        run(after(1, WatchFilter.newBuilder().setHolds(true).build()));
        assertThat(sink.events())
                .containsExactly(
                        WatchEvent.newBuilder().setHold(hold).build(),
                        WatchEvent.newBuilder().setHold(hold).build());
    }

    @Test
    void aFinishedJobIsToldWithItsTasksThenRemoved() {
        Job job = job(1, "t", 1);
        apply(changes(job, 1));
        Watcher watcher = after(1, WatchFilter.newBuilder().setTenant("t").build());
        run(watcher);
        Job done = job.toBuilder()
                .setStatus(JobStatus.newBuilder().setPhase(JobPhase.JOB_PHASE_SUCCEEDED))
                .build();
        apply(new Change.JobFinished(done, List.of()));
        run(watcher);
        assertThat(sink.last().getEventsList())
                .extracting(WatchEvent::getChangeCase)
                .containsExactly(WatchEvent.ChangeCase.JOB, WatchEvent.ChangeCase.JOB_REMOVED);
    }
}
