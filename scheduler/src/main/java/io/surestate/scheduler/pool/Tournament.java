package io.surestate.scheduler.pool;

import java.util.function.IntUnaryOperator;

/**
 * Scores by index with the winner at the root: of those that fit the one with the least strain, then the highest score, of equal ones the lowest
 * index. A changed score costs one path to the root. Mutable; one thread.
 */
final class Tournament {
    private final double[] scores;
    private final IntUnaryOperator strain;
    private final int[] winners;
    private final int leaves;

    /**
     * All scores are as given; the array is handed over and changed through {@link #set} only.
     *
     * @param strain by index; where it changes, {@link #set} is called
     */
    Tournament(double[] scores, IntUnaryOperator strain) {
        this.scores = scores;
        this.strain = strain;
        this.leaves = Math.max(1, Integer.highestOneBit(Math.max(1, scores.length * 2 - 1)));
        this.winners = new int[leaves];
        for (int inner = leaves - 1; inner >= 1; inner--) {
            play(inner);
        }
    }

    private void play(int inner) {
        int left = winnerOf(2 * inner);
        int right = winnerOf(2 * inner + 1);
        winners[inner] = right >= scores.length || !beats(right, left) ? left : right;
    }

    /** Whether one is strictly better than the other. */
    boolean beats(int one, int other) {
        if (scores[one] == Scorer.UNFIT || scores[other] == Scorer.UNFIT) {
            return scores[one] > scores[other];
        }
        int less = strain.applyAsInt(other) - strain.applyAsInt(one);
        return less != 0 ? less > 0 : scores[one] > scores[other];
    }

    /** Leaves stand after the inner nodes; those past the last score count as lower than any. */
    private int winnerOf(int at) {
        return at >= leaves ? at - leaves : winners[at];
    }

    void set(int index, double score) {
        scores[index] = score;
        for (int inner = (leaves + index) / 2; inner >= 1; inner /= 2) {
            play(inner);
        }
    }

    double score(int index) {
        return scores[index];
    }

    int size() {
        return scores.length;
    }

    /** The index that wins; only of at least one score. */
    int winner() {
        return leaves == 1 ? 0 : winners[1];
    }
}
