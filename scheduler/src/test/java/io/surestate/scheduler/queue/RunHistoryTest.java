package io.surestate.scheduler.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.Limits;
import org.junit.jupiter.api.Test;

class RunHistoryTest {
    private static QueuedJob job(int user, long requested) {
        return QueuedJob.requesting(0, user, 0, requested, 1);
    }

    private static void ended(RunHistory history, QueuedJob job, long... runs) {
        for (long run : runs) {
            history.ended(job, run);
        }
    }

    @Test
    void believesTheRequestUntilItKnowsThreeRuns() {
        RunHistory history = new RunHistory();
        ended(history, job(1, 100), 10, 20);
        assertThat(history.predict(Prediction.MEDIAN_RATIO, job(1, 100))).isEqualTo(100);

        ended(history, job(1, 100), 30);
        assertThat(history.predict(Prediction.MEDIAN_RATIO, job(1, 100))).isEqualTo(20);
    }

    @Test
    void asksForUserAndRequestThenForTheUserThenForTheRequest() {
        RunHistory history = new RunHistory();
        ended(history, job(1, 100), 10, 10, 10);
        ended(history, job(2, 200), 100, 100, 100);

        assertThat(history.predict(Prediction.MEDIAN_RATIO, job(1, 200))).isEqualTo(20);
        assertThat(history.predict(Prediction.MEDIAN_RATIO, job(3, 200))).isEqualTo(100);
        assertThat(history.predict(Prediction.MEDIAN_RATIO, job(3, 300))).isEqualTo(300);
        assertThat(history.predict(Prediction.MEDIAN_RATIO, job(QueuedJob.USER_UNKNOWN, 100)))
                .isEqualTo(10);
    }

    @Test
    void staysBetweenASecondAndTheRequest() {
        RunHistory history = new RunHistory();
        ended(history, job(1, 100), 500, 500, 500);
        ended(history, job(2, 1_000), 1, 1, 1);

        assertThat(history.predict(Prediction.MEDIAN_RATIO, job(1, 100))).isEqualTo(100);
        assertThat(history.predict(Prediction.MEDIAN_RATIO, job(2, 10))).isEqualTo(1);
    }

    @Test
    void forgetsTheKindsNotSeenForLongest() {
        RunHistory history = new RunHistory();
        ended(history, job(QueuedJob.USER_UNKNOWN, 7_000_000), 7, 7, 7);
        for (int i = 1; i < Limits.RUN_KINDS_MAX; i++) {
            ended(history, job(QueuedJob.USER_UNKNOWN, i), 1);
        }
        assertThat(history.predict(Prediction.MEDIAN_RATIO, job(5, 7_000_000))).isEqualTo(7);

        ended(history, job(QueuedJob.USER_UNKNOWN, Limits.RUN_KINDS_MAX), 1);

        assertThat(history.predict(Prediction.MEDIAN_RATIO, job(5, 7_000_000))).isEqualTo(7_000_000);
    }
}
