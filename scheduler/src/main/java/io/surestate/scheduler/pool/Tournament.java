package io.surestate.scheduler.pool;

/**
 * Scores by index with the winner at the root: the highest score, of equal ones the lowest index. A changed score costs one path to the
 * root. Mutable; one thread.
 */
final class Tournament {
    private final double[] scores;
    private final int[] winners;
    private final int leaves;

    /** All scores are as given; the array is handed over and changed through {@link #set} only. */
    Tournament(double[] scores) {
        this.scores = scores;
        this.leaves = Math.max(1, Integer.highestOneBit(Math.max(1, scores.length * 2 - 1)));
        this.winners = new int[leaves];
        for (int inner = leaves - 1; inner >= 1; inner--) {
            play(inner);
        }
    }

    private void play(int inner) {
        int left = winnerOf(2 * inner);
        int right = winnerOf(2 * inner + 1);
        winners[inner] = right >= scores.length || scores[left] >= scores[right] ? left : right;
    }

    /** Leaves stand after the inner nodes; those past the last score count as lower than any. */
    private int winnerOf(int at) {
        return at >= leaves ? at - leaves : winners[at];
    }

    void set(int index, double score) {
        if (scores[index] == score) {
            return;
        }
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
