package io.surestate.scheduler.queue;

/** Which waiting job is next: the least key first, then the earlier submitted, then the earlier arrived. */
public enum QueueOrder {
    /** First come, first served. */
    FCFS("fcfs") {
        @Override
        double fill(QueuedJob job) {
            return 0;
        }
    },
    /** The shortest request first. */
    SJF("sjf") {
        @Override
        double fill(QueuedJob job) {
            return (double) job.requested();
        }
    },
    /** The published learned formula F1: few processors and short, and old. */
    F1("f1") {
        @Override
        double fill(QueuedJob job) {
            return Math.log10((double) Math.max(1, job.requested())) * job.processors()
                    + F1_AGE_WEIGHT * Math.log10((double) Math.max(1, job.submitted()));
        }
    },
    /** The smallest area of processors and requested time first; what waited for a day comes before all else. */
    AREA("area", Prediction.NONE, 24) {
        @Override
        double fill(QueuedJob job) {
            return area(job, 0);
        }

        @Override
        double front(QueuedJob job) {
            return area(job, SHORT_SECONDS);
        }
    },
    /** The smallest area of processors and expected time first; what waited for a day and a half comes before all else. */
    AREA_LEARNED("area-learned", Prediction.MEDIAN_RATIO, 36) {
        @Override
        double fill(QueuedJob job) {
            return area(job, 0);
        }

        @Override
        double front(QueuedJob job) {
            return area(job, SHORT_SECONDS);
        }
    };

    /** Below this a job is too short for its slowdown to mean anything. */
    private static final long SHORT_SECONDS = 10;

    private static final double F1_AGE_WEIGHT = 870;
    private static final long HOUR_SECONDS = 3_600;

    private final String label;
    private final Prediction prediction;
    private final long guardSeconds;

    QueueOrder(String label) {
        this.label = label;
        this.prediction = Prediction.NONE;
        this.guardSeconds = Long.MAX_VALUE;
    }

    QueueOrder(String label, Prediction prediction, long guardHours) {
        this.label = label;
        this.prediction = prediction;
        this.guardSeconds = guardHours * HOUR_SECONDS;
    }

    /** What people call it. */
    public String label() {
        return label;
    }

    /** What it believes of run times. */
    public Prediction prediction() {
        return prediction;
    }

    /** A job that waited for longer comes first, whatever its key, the longest waiting one foremost. */
    public long guardSeconds() {
        return guardSeconds;
    }

    /** The key of a job that is sought a place before the head of the queue. */
    abstract double fill(QueuedJob job);

    /** The key of a job in the queue. */
    double front(QueuedJob job) {
        return fill(job);
    }

    private static double area(QueuedJob job, long secondsMin) {
        return (double) Math.max(secondsMin, job.predicted()) * job.processors();
    }
}
