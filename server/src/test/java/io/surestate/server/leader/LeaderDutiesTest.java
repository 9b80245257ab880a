package io.surestate.server.leader;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.server.apply.Views;
import io.surestate.server.commit.ClusterClock;
import io.surestate.server.commit.GroupCommit;
import io.surestate.server.fixture.LoneLog;
import io.surestate.server.fixture.LoneServer;
import io.surestate.server.log.Leadership;
import io.surestate.server.log.ProposalFailedException;
import io.surestate.server.log.ReadIndexRounds;
import io.surestate.statemachine.StateEngine;
import io.surestate.statemachine.store.InMemoryStateStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class LeaderDutiesTest {
    private final List<String> told = new ArrayList<>();
    private final List<Throwable> faults = new ArrayList<>();
    private final List<CompletableFuture<Long>> barriers = new ArrayList<>();
    private final LeaderDuties duties = duties(new Told("a", false), new Told("b", false));

    private LeaderDuties duties(LeaderDuty... all) {
        Views views = new Views(StateEngine.open(new InMemoryStateStore()).view());
        ClusterClock clock = new ClusterClock(() -> 0);
        LoneLog log = new LoneLog(new LoneServer().core().applyLoop());
        ReadIndexRounds rounds = new ReadIndexRounds(() -> {
            CompletableFuture<Long> barrier = new CompletableFuture<>();
            barriers.add(barrier);
            return barrier;
        });
        Proposals proposals = new Proposals(new GroupCommit(log, clock, 1, () -> true), Runnable::run);
        return new LeaderDuties(
                new LeaderEnvironment(views, clock, proposals, rounds, Runnable::run, () -> 0),
                List.of(all),
                faults::add);
    }

    private final class Told implements LeaderDuty {
        private final String name;
        private final boolean fails;

        Told(String name, boolean fails) {
            this.name = name;
            this.fails = fails;
        }

        @Override
        public void begin(long term) {
            told.add("begin " + name + " " + term);
            if (fails) {
                throw new IllegalStateException("cannot begin");
            }
        }

        @Override
        public void poll() {
            told.add("poll " + name);
        }

        @Override
        public void end() {
            told.add("end " + name);
        }
    }

    private void barrierPasses(int number) {
        barriers.get(number).complete(0L);
    }

    @Test
    void dutiesBeginAfterTheBarrierAndNotBefore() {
        duties.leadershipChanged(Leadership.leader(2, "s1", false));
        assertThat(barriers).isEmpty();
        duties.leadershipChanged(Leadership.leader(2, "s1", true));
        duties.poll();
        assertThat(told).isEmpty();
        barrierPasses(0);
        assertThat(told).containsExactly("begin a 2", "begin b 2");
    }

    @Test
    void theyEndInReverseOrder() {
        duties.leadershipChanged(Leadership.leader(2, "s1", true));
        barrierPasses(0);
        told.clear();
        duties.leadershipChanged(Leadership.follower(3, Optional.of("s2")));
        assertThat(told).containsExactly("end b", "end a");
        duties.poll();
        assertThat(told).hasSize(2);
    }

    @Test
    void aBarrierOfATermThatIsOverBeginsNothing() {
        duties.leadershipChanged(Leadership.leader(2, "s1", true));
        duties.leadershipChanged(Leadership.follower(3, Optional.of("s2")));
        barrierPasses(0);
        assertThat(told).isEmpty();
    }

    @Test
    void aBarrierThatCouldNotBeConfirmedIsTriedAgainAtTheNextPoll() {
        duties.leadershipChanged(Leadership.leader(2, "s1", true));
        barriers.get(0).completeExceptionally(ProposalFailedException.rejected("no majority"));
        assertThat(told).isEmpty();
        duties.poll();
        barrierPasses(1);
        assertThat(told).containsExactly("begin a 2", "begin b 2");
    }

    @Test
    void leadingAgainInALaterTermStartsFromScratch() {
        duties.leadershipChanged(Leadership.leader(2, "s1", true));
        barrierPasses(0);
        told.clear();
        duties.leadershipChanged(Leadership.leader(4, "s1", true));
        barrierPasses(1);
        assertThat(told).containsExactly("end b", "end a", "begin a 4", "begin b 4");
    }

    @Test
    void newsOfAnEarlierTermIsIgnored() {
        duties.leadershipChanged(Leadership.leader(5, "s1", true));
        barrierPasses(0);
        told.clear();
        duties.leadershipChanged(Leadership.follower(4, Optional.of("s2")));
        assertThat(told).isEmpty();
    }

    @Test
    void aDutyThatCannotBeginIsAFaultAndWhatBeganEnds() {
        LeaderDuties failing = duties(new Told("a", false), new Told("b", true), new Told("c", false));
        failing.leadershipChanged(Leadership.leader(2, "s1", true));
        barrierPasses(0);
        assertThat(told).containsExactly("begin a 2", "begin b 2", "end b", "end a");
        assertThat(faults).singleElement().isInstanceOf(IllegalStateException.class);
    }
}
