package io.surestate.scheduler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class QueuePropertiesTest {
    private static final int PROCESSORS = 8;

    private record Drawn(int gap, int requested, int run, int processors, int user) {}

    @Provide
    Arbitrary<List<Played.Actual>> logs() {
        Arbitrary<Drawn> job = Combinators.combine(
                        Arbitraries.integers().between(0, 6),
                        Arbitraries.integers().between(1, 40),
                        Arbitraries.integers().between(1, 40),
                        Arbitraries.integers().between(1, PROCESSORS),
                        Arbitraries.integers().between(-1, 2))
                .as((gap, requested, run, processors, user) ->
                        new Drawn(gap, requested, Math.min(run, requested), processors, user));
        return job.list().ofMinSize(1).ofMaxSize(40).map(QueuePropertiesTest::log);
    }

    private static List<Played.Actual> log(List<Drawn> drawn) {
        List<Played.Actual> log = new ArrayList<>();
        long submitted = 0;
        for (Drawn job : drawn) {
            submitted += job.gap();
            log.add(new Played.Actual(
                    QueuedJob.requesting(log.size(), job.user(), submitted, job.requested(), job.processors()),
                    job.run()));
        }
        return log;
    }

    @Property(tries = 300)
    void runsEveryJobOnceAndNeverUsesMoreProcessorsThanThereAre(
            @ForAll("logs") List<Played.Actual> log, @ForAll QueueOrder order, @ForAll Backfill backfill) {
        Played played = Played.of(order, backfill, PROCESSORS, log);

        assertThat(played.starts).hasSize(log.size());
        assertThat(played.inUseMax).isLessThanOrEqualTo(PROCESSORS);
        log.forEach(actual -> assertThat(played.starts.get(actual.job().id()))
                .isGreaterThanOrEqualTo(actual.job().submitted()));
    }

    @Property(tries = 300)
    void decidesTheSameFromTheSame(
            @ForAll("logs") List<Played.Actual> log, @ForAll QueueOrder order, @ForAll Backfill backfill) {
        assertThat(Played.of(order, backfill, PROCESSORS, log).starts)
                .isEqualTo(Played.of(order, backfill, PROCESSORS, log).starts);
    }

    /** First come, first served: who is the head once stays it until its start. */
    @Property(tries = 300)
    void neverStartsAHeadLaterThanItWasPromised(@ForAll("logs") List<Played.Actual> log) {
        for (Backfill backfill : List.of(Backfill.STRICT, Backfill.EASY, Backfill.EASY_SJBF)) {
            Played played = Played.of(QueueOrder.FCFS, backfill, PROCESSORS, log);

            played.promises.forEach((head, promised) ->
                    promised.forEach(at -> assertThat(played.starts.get(head)).isLessThanOrEqualTo(at)));
        }
    }

    @Property(tries = 300)
    void startsInOrderOfArrivalWithoutBackfill(@ForAll("logs") List<Played.Actual> log) {
        Played played = Played.of(QueueOrder.FCFS, Backfill.NONE, PROCESSORS, log);

        assertThat(List.copyOf(played.starts.keySet())).isSorted();
        assertThat(List.copyOf(played.starts.values())).isSorted();
    }
}
