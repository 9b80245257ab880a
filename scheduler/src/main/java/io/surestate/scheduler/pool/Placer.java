package io.surestate.scheduler.pool;

import io.surestate.scheduler.policy.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

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
        int strain = Integer.MAX_VALUE;
        Optional<Place> best = Optional.empty();
        for (int i = 0; i < within.size(); i++) {
            NodeRow row = pool.node(within.get(i));
            double score = scorer.score(shape, row);
            boolean calmer = row.strain() < strain && score != Scorer.UNFIT;
            if (calmer || (row.strain() == strain && score > highest)) {
                highest = score;
                strain = row.strain();
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

    /** Takes the best places of up to {@code count} tasks of one shape, one after the other; fewer if room runs out. */
    public List<Place> placeUpTo(Shape shape, int count) {
        return take(count, () -> best(shape));
    }

    /** As the other, among those nodes. */
    public List<Place> placeUpTo(Shape shape, int count, NodeSet within) {
        return take(count, () -> best(shape, within));
    }

    private List<Place> take(int count, Supplier<Optional<Place>> best) {
        List<Place> places = new ArrayList<>();
        Optional<Place> next = count > 0 ? best.get() : Optional.empty();
        while (next.isPresent()) {
            pool.take(next.get().node(), next.get().fit());
            places.add(next.get());
            next = places.size() < count ? best.get() : Optional.empty();
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
