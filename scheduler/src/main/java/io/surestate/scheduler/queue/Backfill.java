package io.surestate.scheduler.queue;

/** What may start before the head of the queue while the head does not fit. */
public enum Backfill {
    /** Nothing. Once the head does not fit it stays the head until it does, whatever comes. */
    NONE("none", true, Prediction.NONE) {
        @Override
        double key(QueueOrder order, QueuedJob job) {
            return 0;
        }

        @Override
        boolean admits(QueuedJob job, long now, Reservation reservation) {
            return false;
        }
    },
    /**
     * Whatever ends before the head's start, in order of arrival. The head stays the head, and the start that was reckoned when it first
     * did not fit stands.
     */
    STRICT("strict", true, Prediction.NONE) {
        @Override
        double key(QueueOrder order, QueuedJob job) {
            return 0;
        }

        @Override
        boolean admits(QueuedJob job, long now, Reservation reservation) {
            return now + job.requested() < reservation.at();
        }
    },
    /** Whatever does not delay the head, in the queue's own order. Head and start are reckoned anew in each pass. */
    EASY("easy", false, Prediction.NONE) {
        @Override
        double key(QueueOrder order, QueuedJob job) {
            return order.fill(job);
        }
    },
    /** As {@link #EASY}, the shortest first. */
    EASY_SJBF("easy-sjbf", false, Prediction.NONE) {
        @Override
        double key(QueueOrder order, QueuedJob job) {
            return (double) job.predicted();
        }
    },
    /** As {@link #EASY_SJBF} by predicted run times, which also tell when running jobs end; the request corrects a wrong one. */
    EASY_PLUS("easy++", false, Prediction.LAST_TWO) {
        @Override
        double key(QueueOrder order, QueuedJob job) {
            return (double) job.predicted();
        }
    };

    private final String label;
    private final boolean headStays;
    private final Prediction prediction;

    Backfill(String label, boolean headStays, Prediction prediction) {
        this.label = label;
        this.headStays = headStays;
        this.prediction = prediction;
    }

    /** What people call it. */
    public String label() {
        return label;
    }

    /** What it believes of run times, if the order has no belief of its own. */
    public Prediction prediction() {
        return prediction;
    }

    /** Whether a head that does not fit stays the head, and its reservation as it was. */
    boolean headStays() {
        return headStays;
    }

    /** Whether a job may run on beside the head. */
    boolean usesSpare() {
        return !headStays;
    }

    /** The least is sought a place first. */
    abstract double key(QueueOrder order, QueuedJob job);

    /** Whether a job that fits may start before the head. */
    boolean admits(QueuedJob job, long now, Reservation reservation) {
        return reservation.endOf(job, now) <= reservation.at() || reservation.spares(job);
    }
}
