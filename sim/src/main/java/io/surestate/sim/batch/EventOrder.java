package io.surestate.sim.batch;

/** What happens first of all that happens at one moment, and when the queue is looked at. */
public enum EventOrder {
    /** Ends, then submissions, then one pass over the queue. */
    TOGETHER("together"),
    /** Submissions, then ends, each with a pass of its own. */
    ONE_BY_ONE("each"),
    /** As {@link #ONE_BY_ONE}; but jobs that end when their request does make room before the submissions. */
    REQUESTS_EXPIRE_FIRST("expire-first");

    private final String label;

    EventOrder(String label) {
        this.label = label;
    }

    /** What people call it. */
    public String label() {
        return label;
    }
}
