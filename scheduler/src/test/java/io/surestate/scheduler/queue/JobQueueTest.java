package io.surestate.scheduler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Six jobs on five processors, each schedule worked out by hand. */
class JobQueueTest {
    private static final long A = 0;
    private static final long B = 1;
    private static final long C = 2;
    private static final long D = 3;
    private static final long E = 4;
    private static final long F = 5;

    /** A keeps B from starting until 10; one processor is to spare then. D and E come together. */
    private static final List<Played.Actual> JOBS = List.of(
            job(A, 0, 10, 3), job(B, 1, 10, 4), job(C, 2, 20, 1), job(D, 3, 6, 1), job(E, 3, 4, 1), job(F, 5, 3, 1));

    private static Played.Actual job(long id, long submitted, long seconds, int processors) {
        return new Played.Actual(
                QueuedJob.requesting(id, QueuedJob.USER_UNKNOWN, submitted, seconds, processors), seconds);
    }

    private static Map<Long, Long> starts(QueueOrder order, Backfill backfill) {
        return Played.of(order, backfill, 5, JOBS).starts;
    }

    private static Map<Long, Long> at(long a, long b, long c, long d, long e, long f) {
        return Map.of(A, a, B, b, C, c, D, d, E, e, F, f);
    }

    @Test
    void startsNothingBeforeTheHeadWithoutBackfill() {
        assertThat(starts(QueueOrder.FCFS, Backfill.NONE)).isEqualTo(at(0, 10, 10, 20, 20, 20));
    }

    @Test
    void letsTheHeadStayTheHeadThoughAShorterJobComes() {
        assertThat(starts(QueueOrder.SJF, Backfill.NONE)).isEqualTo(at(0, 10, 20, 17, 13, 10));
    }

    @Test
    void startsWhatEndsBeforeTheHeadsStartUnderStrictBackfill() {
        assertThat(starts(QueueOrder.FCFS, Backfill.STRICT)).isEqualTo(at(0, 10, 10, 3, 3, 20));
    }

    @Test
    void startsWhatTheHeadLeavesOverUnderEasyBackfill() {
        assertThat(starts(QueueOrder.FCFS, Backfill.EASY)).isEqualTo(at(0, 10, 2, 3, 20, 20));
    }

    @Test
    void triesTheShortestFirstUnderShortestJobBackfill() {
        assertThat(starts(QueueOrder.FCFS, Backfill.EASY_SJBF)).isEqualTo(at(0, 10, 2, 20, 3, 7));
    }

    @Test
    void startsTheSmallestAreaFirst() {
        assertThat(starts(QueueOrder.AREA, Backfill.EASY)).isEqualTo(at(0, 13, 2, 3, 9, 10));
    }

    @Test
    void startsWhatWaitedTooLongBeforeSmallerJobs() {
        JobQueue queue = new JobQueue(QueueOrder.AREA, Backfill.EASY);
        ProcessorPool pool = new ProcessorPool(2, false);
        long day = QueueOrder.AREA.guardSeconds();
        queue.add(QueuedJob.requesting(0, 1, 0, 1_000, 2));
        queue.add(QueuedJob.requesting(1, 1, 5, 10, 2));
        queue.add(QueuedJob.requesting(2, 1, 6, 10, 2));

        assertThat(queue.pass(day, pool)).extracting(QueuedJob::id).containsExactly(1L);
        pool.release(1);
        assertThat(queue.pass(day + 1, pool)).extracting(QueuedJob::id).containsExactly(0L);
    }

    @Test
    void predictsFromWhatTheUserUsedOfTheTimeAskedFor() {
        JobQueue queue = new JobQueue(QueueOrder.AREA_LEARNED, Backfill.EASY);
        ProcessorPool pool = new ProcessorPool(1, false);
        queue.add(QueuedJob.requesting(0, 7, 0, 100, 1));
        queue.add(QueuedJob.requesting(1, 8, 0, 60, 1));
        for (long id = 10; id < 13; id++) {
            queue.ended(QueuedJob.requesting(id, 7, 0, 1_000, 1), 10 * (id - 9));
        }

        List<QueuedJob> started = queue.pass(0, pool);

        // Ratios 1, 2 and 3 %: the lower median is 2 % of 100.
        assertThat(started).extracting(QueuedJob::id).containsExactly(0L);
        assertThat(started).extracting(QueuedJob::predicted).containsExactly(2L);
        assertThat(queue.size()).isOne();
    }

    @Test
    void predictsTheMeanOfTheUsersLastTwoRunTimesAndCorrectsByTheRequest() {
        JobQueue queue = new JobQueue(QueueOrder.FCFS, Backfill.EASY_PLUS);
        ProcessorPool pool = new ProcessorPool(2, queue.predictsEnds());
        queue.ended(QueuedJob.requesting(10, 7, 0, 1_000, 1), 20);
        queue.ended(QueuedJob.requesting(11, 7, 0, 1_000, 1), 40);
        queue.add(QueuedJob.requesting(0, 7, 0, 100, 1));
        queue.add(QueuedJob.requesting(1, 8, 0, 50, 2));
        assertThat(queue.pass(0, pool)).extracting(QueuedJob::predicted).containsExactly(30L);

        assertThat(pool.reserve(QueuedJob.requesting(1, 8, 0, 50, 2), 0).at()).isEqualTo(30);
        assertThat(pool.reserve(QueuedJob.requesting(1, 8, 0, 50, 2), 30).at()).isEqualTo(100);
    }

    @Test
    void forgetsAJobThatWillNotRun() {
        JobQueue queue = new JobQueue(QueueOrder.FCFS, Backfill.STRICT);
        ProcessorPool pool = new ProcessorPool(1, false);
        queue.add(QueuedJob.requesting(0, 1, 0, 10, 1));
        queue.add(QueuedJob.requesting(1, 1, 0, 10, 1));
        queue.add(QueuedJob.requesting(2, 1, 0, 10, 1));
        queue.pass(0, pool);

        queue.remove(1);
        queue.remove(1);
        pool.release(0);

        assertThat(queue.pass(1, pool)).extracting(QueuedJob::id).containsExactly(2L);
        assertThat(queue.isEmpty()).isTrue();
    }
}
