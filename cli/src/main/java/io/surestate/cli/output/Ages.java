package io.surestate.cli.output;

import io.surestate.api.EffectiveTime;
import io.surestate.api.v1.JobStatus;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Times as people like to read them. Immutable. */
public final class Ages {
    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS").withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter MOMENT =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss").withZone(ZoneOffset.UTC);
    private static final long MINUTE = 60;
    private static final long HOUR = 3_600;
    private static final long DAY = 86_400;

    private final long nowMillis;

    /** @param nowMillis cluster time */
    public Ages(long nowMillis) {
        this.nowMillis = nowMillis;
    }

    /** How long ago; empty for 0. */
    public String since(long millis) {
        return millis == 0 ? "" : length(nowMillis - millis);
    }

    /** How long until then: {@code in 5s}, {@code over}; empty for 0. */
    public String until(long millis) {
        if (millis == 0) {
            return "";
        }
        return millis <= nowMillis ? "over" : "in " + length(millis - nowMillis);
    }

    /** From {@code start} to {@code end}, or to now if that is 0; empty if it never started. */
    public String between(long start, long end) {
        return start == 0 ? "" : length((end == 0 ? nowMillis : end) - start);
    }

    /** How much of a job's time was of use so far. */
    public EffectiveTime effective(JobStatus status) {
        return EffectiveTime.of(status, nowMillis);
    }

    /** A duration in its two largest units: {@code 5s}, {@code 3m20s}, {@code 2h5m}, {@code 4d3h}. */
    public static String length(long millis) {
        long seconds = Math.max(0, millis) / 1000;
        if (seconds < MINUTE) {
            return seconds + "s";
        }
        if (seconds < HOUR) {
            return two(seconds / MINUTE, "m", seconds % MINUTE, "s");
        }
        if (seconds < DAY) {
            return two(seconds / HOUR, "h", seconds % HOUR / MINUTE, "m");
        }
        return two(seconds / DAY, "d", seconds % DAY / HOUR, "h");
    }

    private static String two(long large, String largeUnit, long small, String smallUnit) {
        return large + largeUnit + (small == 0 ? "" : small + smallUnit);
    }

    /** Date and time in UTC: {@code 2026-09-21 14:13:20}. */
    public static String moment(long millis) {
        return MOMENT.format(Instant.ofEpochMilli(millis));
    }

    /** Time of day in UTC. */
    public static String clock(long millis) {
        return CLOCK.format(Instant.ofEpochMilli(millis));
    }
}
