package io.surestate.sim.batch;

import io.surestate.api.Limits;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * Jobs to be replayed, in order of submission, as columns: five numbers a job and no object. Immutable; times in seconds.
 */
public final class JobLog {
    private final long[] submit;
    private final long[] run;
    private final long[] requested;
    private final int[] processors;
    private final int[] user;

    private JobLog(long[] submit, long[] run, long[] requested, int[] processors, int[] user) {
        this.submit = submit;
        this.run = run;
        this.requested = requested;
        this.processors = processors;
        this.user = user;
    }

    public int size() {
        return submit.length;
    }

    public long submit(int job) {
        return submit[job];
    }

    public long run(int job) {
        return run[job];
    }

    public long requested(int job) {
        return requested[job];
    }

    public int processors(int job) {
        return processors[job];
    }

    public int user(int job) {
        return user[job];
    }

    /** The widest job's; 0 without jobs. */
    public int processorsMax() {
        return Arrays.stream(processors).max().orElse(0);
    }

    /** Jobs {@code from} to before {@code from + count}. */
    public JobLog part(int from, int count) {
        int to = from + count;
        return new JobLog(
                Arrays.copyOfRange(submit, from, to),
                Arrays.copyOfRange(run, from, to),
                Arrays.copyOfRange(requested, from, to),
                Arrays.copyOfRange(processors, from, to),
                Arrays.copyOfRange(user, from, to));
    }

    /** The same jobs, each of which asks for exactly what it will take. */
    public JobLog withExactRequests() {
        return new JobLog(submit, run, run, processors, user);
    }

    /** The same jobs, each submitted 0 to {@code secondsMax} later by chance. */
    public JobLog shaken(long seed, int secondsMax) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] moved = Arrays.stream(submit)
                .map(time -> time + random.nextInt(secondsMax + 1))
                .toArray();
        return new JobLog(moved, run, requested, processors, user).sorted();
    }

    /** By submission; jobs of one moment stay in their order. */
    private JobLog sorted() {
        if (IntStream.range(1, submit.length).allMatch(i -> submit[i - 1] <= submit[i])) {
            return this;
        }
        int[] order = IntStream.range(0, submit.length)
                .boxed()
                .sorted((a, b) -> Long.compare(submit[a], submit[b]))
                .mapToInt(Integer::intValue)
                .toArray();
        return new JobLog(
                permuted(submit, order),
                permuted(run, order),
                permuted(requested, order),
                permuted(processors, order),
                permuted(user, order));
    }

    private static long[] permuted(long[] column, int[] order) {
        return Arrays.stream(order).mapToLong(i -> column[i]).toArray();
    }

    private static int[] permuted(int[] column, int[] order) {
        IntUnaryOperator at = i -> column[i];
        return Arrays.stream(order).map(at).toArray();
    }

    /** Collects jobs in any order. Used by one thread. */
    public static final class Builder {
        private static final int FIRST = 1_024;

        private long[] submit = new long[FIRST];
        private long[] run = new long[FIRST];
        private long[] requested = new long[FIRST];
        private int[] processors = new int[FIRST];
        private int[] user = new int[FIRST];
        private int size;

        /**
         * One more job.
         *
         * @throws IllegalStateException there are {@link Limits#TRACE_JOBS_MAX} already
         */
        public Builder add(long submitted, long ran, long asked, int wide, int owner) {
            if (size == Limits.TRACE_JOBS_MAX) {
                throw new IllegalStateException("more than " + Limits.TRACE_JOBS_MAX + " jobs");
            }
            if (size == submit.length) {
                resize(2 * size);
            }
            submit[size] = submitted;
            run[size] = ran;
            requested[size] = asked;
            processors[size] = wide;
            user[size] = owner;
            size++;
            return this;
        }

        public int size() {
            return size;
        }

        public JobLog build() {
            resize(size);
            return new JobLog(submit, run, requested, processors, user).sorted();
        }

        private void resize(int length) {
            submit = Arrays.copyOf(submit, length);
            run = Arrays.copyOf(run, length);
            requested = Arrays.copyOf(requested, length);
            processors = Arrays.copyOf(processors, length);
            user = Arrays.copyOf(user, length);
        }
    }
}
