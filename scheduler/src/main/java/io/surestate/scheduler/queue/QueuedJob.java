package io.surestate.scheduler.queue;

import io.surestate.api.Names;

/**
 * A job that waits, as the rules of queues see it. Immutable; times in seconds.
 *
 * @param id in order of arrival; unique among the jobs of one queue
 * @param user whose job it is; {@link #USER_UNKNOWN} if nobody knows
 * @param submitted when it came
 * @param requested run time that its owner asked for, at least 0; it may be ended after that
 * @param predicted run time that is expected of it, at least 0
 * @param processors it needs all at once, at least 1
 */
public record QueuedJob(long id, int user, long submitted, long requested, long predicted, int processors) {
    public static final int USER_UNKNOWN = -1;

    public QueuedJob {
        require(requested >= 0, "requested", requested, "at least 0");
        require(predicted >= 0, "predicted", predicted, "at least 0");
        require(processors > 0, "processors", processors, "at least 1");
    }

    /** One of which nothing but the request is known. */
    public static QueuedJob requesting(long id, int user, long submitted, long requested, int processors) {
        return new QueuedJob(id, user, submitted, requested, requested, processors);
    }

    public boolean hasUser() {
        return user != USER_UNKNOWN;
    }

    QueuedJob withPredicted(long seconds) {
        return new QueuedJob(id, user, submitted, requested, seconds, processors);
    }

    private static void require(boolean holds, String field, long value, String expected) {
        if (!holds) {
            throw new IllegalArgumentException(Names.message(field, Long.toString(value), expected));
        }
    }
}
