package io.surestate.scheduler.pool;

import io.surestate.scheduler.policy.Policy;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** The rankings of the shapes asked for most recently. Bounded in scores held; the shape not asked for longest goes first. One thread. */
final class Rankings {
    /** Scores held in all, about 20 bytes each. */
    private static final int SCORES_MAX = 8 << 20;

    private static final int SHAPES_MIN = 16;
    private static final int SHAPES_MAX = 1_024;

    private final Pool pool;
    private final Policy policy;
    private final Scorer scorer;
    private final Map<Shape, Ranking> byShape = new LinkedHashMap<>(16, 0.75f, true);

    Rankings(Pool pool, Policy policy, Scorer scorer) {
        this.pool = pool;
        this.policy = policy;
        this.scorer = scorer;
    }

    /** The ranking of that shape, made where there is none that holds. */
    Ranking of(Shape shape) {
        Ranking known = byShape.get(shape);
        if (known != null && known.current(policy.generation())) {
            return known;
        }
        Ranking made = new Ranking(pool, scorer, shape, policy.generation());
        byShape.put(shape, made);
        int shapesMax = Math.max(SHAPES_MIN, Math.min(SHAPES_MAX, SCORES_MAX / Math.max(1, pool.size())));
        Iterator<Shape> eldest = byShape.keySet().iterator();
        while (byShape.size() > shapesMax) {
            eldest.next();
            eldest.remove();
        }
        return made;
    }
}
