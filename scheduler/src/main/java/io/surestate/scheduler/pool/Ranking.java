package io.surestate.scheduler.pool;

/**
 * One shape's scores of all nodes of a pool, brought up to date from the pool's changes when asked: a decision costs what changed since the
 * last one for this shape, not the number of nodes. Mutable; one thread.
 */
final class Ranking {
    private final Pool pool;
    private final Scorer scorer;
    private final Shape shape;
    private final long structure;
    private final long generation;
    private final Tournament tournament;
    private long seen;

    /** Scores every node once; nodes of equal state share the work. */
    Ranking(Pool pool, Scorer scorer, Shape shape, long generation) {
        this.pool = pool;
        this.scorer = scorer;
        this.shape = shape;
        this.structure = pool.structure();
        this.generation = generation;
        this.seen = pool.changed();
        double[] scores = new double[pool.size()];
        StateScores known = new StateScores(pool);
        for (int node = 0; node < scores.length; node++) {
            NodeRow row = pool.node(node);
            if (row.fitsBesideDevices(shape)) {
                int twin = known.twin(node);
                scores[node] = twin < 0 ? scorer.score(shape, row) : scores[twin];
            } else {
                scores[node] = Scorer.UNFIT;
            }
        }
        this.tournament = new Tournament(scores, node -> pool.node(node).strain());
    }

    /** Whether indices and the policy's generation are those it was made for. */
    boolean current(long policyGeneration) {
        return structure == pool.structure() && generation == policyGeneration;
    }

    /** The best node, or -1. */
    int best() {
        refresh();
        return tournament.size() == 0 || tournament.score(tournament.winner()) == Scorer.UNFIT
                ? -1
                : tournament.winner();
    }

    /** The best of those nodes, or -1. */
    int best(NodeSet within) {
        refresh();
        int chosen = -1;
        for (int i = 0; i < within.size(); i++) {
            int node = within.get(i);
            boolean fits = tournament.score(node) != Scorer.UNFIT;
            if (fits && (chosen < 0 || tournament.beats(node, chosen))) {
                chosen = node;
            }
        }
        return chosen;
    }

    private void refresh() {
        long changed = pool.changed();
        if (pool.remembers(seen)) {
            for (long change = seen; change < changed; change++) {
                int node = pool.changedNode(change);
                if (node >= 0) {
                    rescore(node);
                }
            }
        } else {
            for (int node = 0; node < pool.size(); node++) {
                if (pool.version(node) > seen) {
                    rescore(node);
                }
            }
        }
        seen = changed;
    }

    private void rescore(int node) {
        tournament.set(node, scorer.score(shape, pool.node(node)));
    }
}
