package io.surestate.sim.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.surestate.scheduler.queue.Backfill;
import io.surestate.scheduler.queue.QueueOrder;
import io.surestate.sim.Progress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BatchReplayTest {
    private static final int PROCESSORS = 5;

    /** Six jobs; the starts under each rule were worked out by hand. */
    private static JobLog six() {
        return new JobLog.Builder()
                .add(0, 10, 10, 3, -1)
                .add(1, 10, 10, 4, -1)
                .add(2, 20, 20, 1, -1)
                .add(3, 6, 6, 1, -1)
                .add(3, 4, 4, 1, -1)
                .add(5, 3, 3, 1, -1)
                .build();
    }

    private static QueueOutcome play(QueueOrder order, Backfill backfill, EventOrder events, JobLog log) {
        ReplaySetting setting = new ReplaySetting(order, backfill, events, PROCESSORS);
        return new BatchReplay(setting, log, Progress.unseen()).play().outcome();
    }

    @ParameterizedTest
    @CsvSource({
        // starts of the six: waits are these less 0, 1, 2, 3, 3, 5
        "FCFS, NONE,      0 10 10 20 20 20",
        "FCFS, STRICT,    0 10 10 3  3  20",
        "FCFS, EASY,      0 10 2  3  20 20",
        "FCFS, EASY_SJBF, 0 10 2  20 3  7",
        "SJF,  NONE,      0 10 20 17 13 10",
        "AREA, EASY,      0 13 2  3  9  10",
    })
    void comesToTheScheduleThatWasWorkedOutByHand(QueueOrder order, Backfill backfill, String starts) {
        long[] start =
                Arrays.stream(starts.split(" +")).mapToLong(Long::parseLong).toArray();
        JobLog log = six();
        double waits = 0;
        double longest = 0;
        double slowdowns = 0;
        for (int job = 0; job < log.size(); job++) {
            double wait = start[job] - log.submit(job);
            waits += wait;
            longest = Math.max(longest, wait);
            slowdowns += Math.max(1, (wait + log.run(job)) / Math.max(10.0, (double) log.run(job)));
        }

        QueueOutcome outcome = play(order, backfill, EventOrder.TOGETHER, log);

        assertThat(outcome.jobs()).isEqualTo(6);
        assertThat(outcome.waitSeconds()).isCloseTo(waits / 6, within(1e-9));
        assertThat(outcome.maxWaitSeconds()).isEqualTo(longest);
        assertThat(outcome.boundedSlowdown()).isCloseTo(slowdowns / 6, within(1e-9));
    }

    @Test
    void countsWhatWasInUseOverWhatThereWas() {
        JobLog log = new JobLog.Builder()
                .add(10, 20, 20, 5, -1)
                .add(10, 20, 30, 2, -1)
                .build();

        QueueOutcome outcome = play(QueueOrder.FCFS, Backfill.EASY, EventOrder.TOGETHER, log);

        assertThat(outcome.makespanSeconds()).isEqualTo(40);
        assertThat(outcome.utilization()).isCloseTo((5 * 20 + 2 * 20) / (5 * 40.0), within(1e-9));
        assertThat(outcome.boundedSlowdown()).isCloseTo(1.5, within(1e-9));
        assertThat(outcome.p99BoundedSlowdown()).isEqualTo(2);
    }

    @Test
    void refusesAJobThatNeverFits() {
        JobLog log = new JobLog.Builder().add(0, 1, 1, PROCESSORS + 1, -1).build();

        assertThatThrownBy(() -> play(QueueOrder.FCFS, Backfill.EASY, EventOrder.TOGETHER, log))
                .hasMessageContaining("a job of 6 processors never fits on 5");
    }

    @Test
    void keepsJobsOfOneMomentInOrderWhenItSorts() {
        JobLog log = new JobLog.Builder()
                .add(5, 1, 1, 1, 1)
                .add(0, 2, 2, 1, 2)
                .add(5, 3, 3, 1, 3)
                .build();

        assertThat(List.of(log.user(0), log.user(1), log.user(2))).containsExactly(2, 1, 3);
    }

    @Test
    void shakesTheSameWayForTheSameSeed() {
        JobLog log = six();

        JobLog shaken = log.shaken(7, 59);

        assertThat(shaken.size()).isEqualTo(log.size());
        for (int job = 0; job < log.size(); job++) {
            assertThat(shaken.submit(job))
                    .isEqualTo(log.shaken(7, 59).submit(job))
                    .isBetween(0L, 64L);
            assertThat(shaken.submit(job)).isGreaterThanOrEqualTo(job == 0 ? 0 : shaken.submit(job - 1));
        }
    }

    @Test
    void tellsOfEveryJobThatEnded() {
        JobLog.Builder many = new JobLog.Builder();
        for (int i = 0; i < 3_000; i++) {
            many.add(i, 1, 1, 1, -1);
        }
        List<Long> told = new ArrayList<>();

        new BatchReplay(
                        new ReplaySetting(QueueOrder.FCFS, Backfill.EASY, EventOrder.TOGETHER, 1),
                        many.build(),
                        told::add)
                .play();

        assertThat(told.stream().mapToLong(Long::longValue).sum()).isEqualTo(3_000);
    }

    @Property(tries = 200)
    void runsEveryJobWithinWhatThereIsUnderEachRule(
            @ForAll @Size(min = 1, max = 60) List<@IntRange(min = 0, max = 9_999) Integer> drawn,
            @ForAll QueueOrder order,
            @ForAll Backfill backfill,
            @ForAll EventOrder events) {
        JobLog.Builder jobs = new JobLog.Builder();
        for (int number : drawn) {
            int requested = 1 + number / 10 % 10;
            jobs.add(number / 1_000, 1 + number / 100 % requested, requested, 1 + number % PROCESSORS, number % 3);
        }

        Replayed replayed = new BatchReplay(
                        new ReplaySetting(order, backfill, events, PROCESSORS), jobs.build(), Progress.unseen())
                .play();

        assertThat(replayed.outcome().jobs()).isEqualTo(drawn.size());
        assertThat(replayed.outcome().utilization()).isBetween(0.0, 1.0 + 1e-9);
        assertThat(replayed.slowdowns()).isSorted();
        assertThat(Arrays.stream(replayed.busy().values())).allMatch(share -> share >= 0 && share <= 1 + 1e-9);
    }

    @Test
    void averagesCurvesOverSpansThatGrow() {
        StepCurve curve = new StepCurve();
        curve.at(100, 1);
        curve.at(100 + 5_000, 3);
        curve.at(100 + 10_000, 0);

        StepCurve.Points points = curve.points();

        assertThat(points.seconds()).hasSizeBetween(513, 1_024).isSorted();
        assertThat(points.values()[0]).isEqualTo(1);
        assertThat(points.values()[points.values().length - 1]).isCloseTo(3, within(1e-9));
    }
}
