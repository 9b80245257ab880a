package io.surestate.sim.batch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.surestate.scheduler.queue.Backfill;
import io.surestate.scheduler.queue.QueueOrder;
import io.surestate.sim.Progress;
import io.surestate.sim.trace.TraceBounds;
import java.io.IOException;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Average bounded slowdowns that others published; the replay must come to the same. */
class PublishedFiguresTest {
    private static final String LUBLIN = "swf/lublin_256.swf.gz";
    private static final String HPC2N = "swf/HPC2N-2002-2.2-cln.swf.gz";
    private static final String KTH = "swf/KTH-SP2.swf.gz";

    @ParameterizedTest
    @CsvSource({
        "NONE,   7273.77, 277.35, 258.37",
        "STRICT, 235.82,  73.31,  75.07",
    })
    void comesToThePublishedTenSequencesOfLublin(Backfill backfill, double fcfs, double sjf, double f1)
            throws IOException {
        assertSequences(LUBLIN, backfill, fcfs, sjf, f1);
    }

    @ParameterizedTest
    @CsvSource({
        "NONE,   297.18, 157.71, 118.01",
        "STRICT, 127.38, 122.04, 71.95",
    })
    void comesToThePublishedTenSequencesOfHpc2n(Backfill backfill, double fcfs, double sjf, double f1)
            throws IOException {
        assertSequences(HPC2N, backfill, fcfs, sjf, f1);
    }

    private static void assertSequences(String file, Backfill backfill, double fcfs, double sjf, double f1)
            throws IOException {
        Workload workload = SwfLogs.forSequences(SharedData.file(file), OptionalInt.empty(), TraceBounds.ordinary());
        List<JobLog> parts = Sequences.of(workload.log());

        assertThat(sequences(parts, workload, QueueOrder.FCFS, backfill)).isCloseTo(fcfs, within(0.0051));
        assertThat(sequences(parts, workload, QueueOrder.SJF, backfill)).isCloseTo(sjf, within(0.0051));
        assertThat(sequences(parts, workload, QueueOrder.F1, backfill)).isCloseTo(f1, within(0.0051));
    }

    private static double sequences(List<JobLog> parts, Workload workload, QueueOrder order, Backfill backfill) {
        ReplaySetting setting = new ReplaySetting(order, backfill, EventOrder.ONE_BY_ONE, workload.processors());
        return QueueOutcome.mean(parts.stream()
                        .map(part -> new BatchReplay(setting, part, Progress.unseen())
                                .play()
                                .outcome())
                        .toList())
                .boundedSlowdown();
    }

    @ParameterizedTest
    @CsvSource({
        "EASY,      false, TOGETHER,              92.6877",
        "EASY_SJBF, false, TOGETHER,              69.3936",
        "EASY,      true,  TOGETHER,              71.7224",
        "EASY_SJBF, true,  TOGETHER,              49.8472",
        "EASY,      false, REQUESTS_EXPIRE_FIRST, 92.5765",
        "EASY_SJBF, false, REQUESTS_EXPIRE_FIRST, 69.4054",
        "EASY_PLUS, false, REQUESTS_EXPIRE_FIRST, 62.8569",
        "EASY,      true,  REQUESTS_EXPIRE_FIRST, 71.7224",
        "EASY_SJBF, true,  REQUESTS_EXPIRE_FIRST, 49.8477",
    })
    void comesToThePublishedFiguresOfKth(Backfill backfill, boolean exact, EventOrder events, double published)
            throws IOException {
        Workload workload = SwfLogs.whole(SharedData.file(KTH), OptionalInt.empty(), TraceBounds.ordinary());
        JobLog log = exact ? workload.log().withExactRequests() : workload.log();

        QueueOutcome outcome = new BatchReplay(
                        new ReplaySetting(QueueOrder.FCFS, backfill, events, workload.processors()),
                        log,
                        Progress.unseen())
                .play()
                .outcome();

        assertThat(outcome.jobs()).isEqualTo(28_481);
        assertThat(outcome.boundedSlowdown()).isCloseTo(published, within(0.00006));
    }

    @Test
    void isFarBetterBySmallAreaThanByAnyPublishedBackfill() throws IOException {
        Workload workload = SwfLogs.whole(SharedData.file(KTH), OptionalInt.empty(), TraceBounds.ordinary());
        ReplaySetting setting =
                new ReplaySetting(QueueOrder.AREA_LEARNED, Backfill.EASY, EventOrder.TOGETHER, workload.processors());

        QueueOutcome outcome = new BatchReplay(setting, workload.log(), Progress.unseen())
                .play()
                .outcome();

        assertThat(outcome.boundedSlowdown()).isLessThan(45);
        assertThat(outcome.maxWaitSeconds()).isLessThan(5 * 86_400);
    }
}
