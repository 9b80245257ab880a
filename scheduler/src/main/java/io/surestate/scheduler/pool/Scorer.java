package io.surestate.scheduler.pool;

import io.surestate.scheduler.policy.Policy;

/** The best choice of devices for a shape on one node under a policy. Reused between calls; one thread. */
final class Scorer {
    /** The score of a node on which the shape does not fit. */
    static final double UNFIT = Double.NEGATIVE_INFINITY;

    private final Policy policy;
    private final DeviceChoices choices = new DeviceChoices();
    private final DeviceChoice best = new DeviceChoice();

    Scorer(Policy policy) {
        this.policy = policy;
    }

    /** The score of the best choice, or {@link #UNFIT}; leaves the choice in {@link #choice}. */
    double score(Shape shape, NodeRow node) {
        if (!node.fitsCpuAndMemory(shape)) {
            return UNFIT;
        }
        int count = choices.find(shape, node);
        double highest = UNFIT;
        int chosen = -1;
        for (int i = 0; i < count; i++) {
            double score = policy.score(shape, node, choices.get(i));
            if (score > highest) {
                highest = score;
                chosen = i;
            }
        }
        if (chosen >= 0) {
            best.copyFrom(choices.get(chosen));
        }
        return highest;
    }

    /** The choice of the last call that did not end in {@link #UNFIT}. */
    DeviceChoice choice() {
        return best;
    }
}
