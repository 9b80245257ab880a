package io.surestate.scheduler.queue;

/** What is believed of a job's run time. */
public enum Prediction {
    /** The request. */
    NONE,
    /** The requested time, scaled by the median of what jobs of this kind used of theirs. */
    MEDIAN_RATIO,
    /** The mean of the user's last two run times. */
    LAST_TWO
}
