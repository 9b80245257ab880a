package io.surestate.scheduler.pool;

import io.surestate.scheduler.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The best place of a shape under a policy. Scores are cached by shape and kept current from the pool's changes, so it is kept across
 * scheduling passes together with its pool; one thread, the pool's.
 *
 * <p>{@link #best} looks and changes nothing; {@link #placeUpTo} takes. A gang search places group after group within a {@link NodeSet},
 * and gives all back by {@link #undo} if a later group finds no room.
 */
public final class Placer {
    private final Pool pool;
    private final Policy policy;
    private final Scorer scorer;
    private final Rankings rankings;

    /** Over one pool; several placers, one for each policy, may share it. */
    public Placer(Pool pool, Policy policy) {
        this.pool = pool;
        this.policy = policy;
        this.scorer = new Scorer(policy);
        this.rankings = new Rankings(pool, policy, scorer);
    }

    /** The best place among all nodes, or empty if the shape fits nowhere now. */
    public Optional<Place> best(Shape shape) {
        return policy.cacheable() ? at(shape, rankings.of(shape).best()) : scan(shape, NodeSet.range(0, pool.size()));
    }

    /** The best place among those nodes, or empty if the shape fits on none of them now. */
    public Optional<Place> best(Shape shape, NodeSet within) {
        return policy.cacheable() ? at(shape, rankings.of(shape).best(within)) : scan(shape, within);
    }

    private Optional<Place> at(Shape shape, int node) {
        return node < 0 ? Optional.empty() : on(shape, node);
    }

    /** Looks at every node of the set, in its order, each once: the policy may draw or count. */
    private Optional<Place> scan(Shape shape, NodeSet within) {
        double highest = Scorer.UNFIT;
        Optional<Place> best = Optional.empty();
        for (int i = 0; i < within.size(); i++) {
            NodeRow row = pool.node(within.get(i));
            double score = scorer.score(shape, row);
            if (score > highest) {
                highest = score;
                int node = within.get(i);
                best = row.fit(shape, scorer.choice()).map(fit -> new Place(node, fit, score));
            }
        }
        return best;
    }

    /** The best place on that node, or empty if the shape does not fit there now. */
    public Optional<Place> on(Shape shape, int node) {
        NodeRow row = pool.node(node);
        double score = scorer.score(shape, row);
        return score == Scorer.UNFIT
                ? Optional.empty()
                : row.fit(shape, scorer.choice()).map(fit -> new Place(node, fit, score));
    }

    /** Takes the best places of up to {@code count} tasks of one shape, one after the other, among those nodes; fewer if room runs out. */
    public List<Place> placeUpTo(Shape shape, int count, NodeSet within) {
        List<Place> places = new ArrayList<>();
        while (places.size() < count) {
            Optional<Place> next = best(shape, within);
            if (next.isEmpty()) {
                break;
            }
            pool.take(next.get().node(), next.get().fit());
            places.add(next.get());
        }
        return places;
    }

    /** Gives back places that were taken, the last first. */
    public void undo(List<Place> places) {
        for (int i = places.size() - 1; i >= 0; i--) {
            pool.release(places.get(i).node(), places.get(i).fit());
        }
    }
}
