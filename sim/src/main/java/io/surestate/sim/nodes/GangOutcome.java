package io.surestate.sim.nodes;

import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * How gangs lay on the nodes in a replay.
 *
 * @param level whose domains count; {@code node} where nodes name no level
 * @param gangs of two tasks and more
 * @param inOneDomain share of them that lay in one domain of the level, 0 to 1
 * @param neighbourDistance mean steps up the fabric between neighbours in rank: 0 = one node, 1 = one innermost domain
 * @param fragmentation share of free accelerators that lay on nodes that are in use too, mean over time, 0 to 1
 */
public record GangOutcome(
        String level, long gangs, double inOneDomain, double neighbourDistance, double fragmentation) {
    /** The mean of each figure; gangs are added up. */
    public static GangOutcome mean(List<GangOutcome> outcomes) {
        return new GangOutcome(
                outcomes.get(0).level(),
                outcomes.stream().mapToLong(GangOutcome::gangs).sum(),
                mean(outcomes, GangOutcome::inOneDomain),
                mean(outcomes, GangOutcome::neighbourDistance),
                mean(outcomes, GangOutcome::fragmentation));
    }

    private static double mean(List<GangOutcome> outcomes, ToDoubleFunction<GangOutcome> figure) {
        return outcomes.stream().mapToDouble(figure).average().orElseThrow();
    }
}
