package io.surestate.sim.openb;

import io.surestate.api.Names;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * The order in which pods arrive: all pods shuffled, then clones drawn uniformly with replacement until the next would pass the wanted
 * load. As published, the stop test counts a clone's share once, however many devices it asks. A trace that asks more than wanted loses
 * random pods instead. No state.
 */
final class Arrivals {
    /** Pods of one run. */
    static final int ARRIVALS_MAX = 2_000_000;

    private Arrivals() {}

    static List<OpenbPod> of(List<OpenbPod> pods, double limitMilli, RandomGenerator random) {
        List<OpenbPod> arrivals = new ArrayList<>(pods);
        arrivals.sort(Comparator.comparing(OpenbPod::name));
        for (int i = arrivals.size() - 1; i > 0; i--) {
            Collections.swap(arrivals, i, random.nextInt(i + 1));
        }
        long asked = arrivals.stream().mapToLong(OpenbPod::totalGpuMilli).sum();
        while (asked > limitMilli) {
            asked -= arrivals.remove(random.nextInt(arrivals.size())).totalGpuMilli();
        }
        boolean grows = arrivals.stream().anyMatch(pod -> pod.totalGpuMilli() > 0);
        int originals = arrivals.size();
        while (grows && originals == pods.size()) {
            OpenbPod clone = arrivals.get(random.nextInt(originals));
            if (asked + clone.gpuMilli() > limitMilli) {
                break;
            }
            if (arrivals.size() == ARRIVALS_MAX) {
                String expected = "a load that " + ARRIVALS_MAX + " pods reach";
                throw new IllegalArgumentException(Names.message("inflate", (long) limitMilli + " milli", expected));
            }
            arrivals.add(clone);
            asked += clone.totalGpuMilli();
        }
        return arrivals;
    }
}
