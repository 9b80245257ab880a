package io.surestate.sim.batch;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.scheduler.queue.Backfill;
import io.surestate.scheduler.queue.QueueOrder;
import io.surestate.sim.Progress;
import io.surestate.sim.trace.TraceBounds;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A log with more in the queue by day than the machine can take, and less by night. {@code -Dsurestate.jobs=1000000} plays as many; time and
 * memory stand in the test's output.
 */
class LargeLogTest {
    private static final int JOBS = Integer.getInteger("surestate.jobs", 20_000);
    private static final int PROCESSORS = 80_000;
    private static final int[] WIDTHS = {1, 1, 1, 2, 4, 8, 8, 8, 16, 32, 64, 128};
    private static final double MEAN_WIDTH = 22.75;
    private static final double MEAN_RUN = 3_600;
    private static final double LOAD = 0.9;
    private static final double BY_DAY = 1.6;
    private static final double BY_NIGHT = 0.5;
    private static final double HALF_DAY = 43_200;

    @TempDir
    private Path folder;

    private Path log() throws IOException {
        Path file = folder.resolve("large.swf");
        Random random = new Random(1);
        double gap = MEAN_WIDTH * MEAN_RUN / (LOAD * PROCESSORS);
        double now = 0;
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write("; MaxProcs: " + PROCESSORS + "\n");
            for (int job = 1; job <= JOBS; job++) {
                now += random.nextExponential() * gap / ((long) (now / HALF_DAY) % 2 == 0 ? BY_DAY : BY_NIGHT);
                long run = 1 + (long) (random.nextExponential() * MEAN_RUN);
                long asked = run * (1 + random.nextInt(10));
                int wide = WIDTHS[random.nextInt(WIDTHS.length)];
                out.write(job + " " + (long) now + " -1 " + run + " " + wide + " -1 -1 " + wide + " " + asked + " -1 1 "
                        + random.nextInt(500) + " 1 -1 -1 -1 -1 -1\n");
            }
        }
        return file;
    }

    @Test
    void playsEveryJobInBoundedMemory() throws IOException {
        Path file = log();
        for (QueueOrder order : new QueueOrder[] {QueueOrder.FCFS, QueueOrder.AREA_LEARNED}) {
            long begun = System.nanoTime();
            Workload workload = SwfLogs.whole(file, OptionalInt.empty(), TraceBounds.ordinary());
            Replayed replayed = new BatchReplay(
                            new ReplaySetting(order, Backfill.EASY, EventOrder.TOGETHER, workload.processors()),
                            workload.log(),
                            Progress.unseen())
                    .play();
            long millis = (System.nanoTime() - begun) / 1_000_000;
            System.out.println(order + ": " + JOBS + " jobs, " + millis + " ms, " + usedMebibytes() + " MiB in use, "
                    + replayed.outcome());

            assertThat(replayed.outcome().jobs()).isEqualTo(JOBS);
            assertThat(replayed.outcome().utilization()).isBetween(0.1, 1.0);
        }
    }

    private static long usedMebibytes() {
        Runtime runtime = Runtime.getRuntime();
        runtime.gc();
        return (runtime.totalMemory() - runtime.freeMemory()) >> 20;
    }
}
