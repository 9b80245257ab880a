package io.surestate.server.job;

import io.surestate.api.Limits;
import io.surestate.api.Names;
import io.surestate.api.v1.Topology;
import io.surestate.server.api.Problems;

/** Checks where tasks are asked to lie. That a level exists is not asked: nodes that name it may come. */
final class TopologyAdmission {
    private TopologyAdmission() {}

    /** Of one group. */
    static void check(String field, Topology asked, int count) {
        packing(field, asked);
        slices(field, asked, count);
        level(field + ".spread", asked.getSpread());
        Problems.range(field + ".maxPerDomain", asked.getMaxPerDomain(), 0, Limits.TASKS_PER_GROUP_MAX);
        if (asked.getMaxPerDomain() > 0 && asked.getSpread().isEmpty()) {
            throw Problems.invalid(
                    field + ".maxPerDomain: " + asked.getMaxPerDomain() + " (expected: together with spread)");
        }
        boolean inOneDomain = !asked.getSpread().isEmpty()
                && (asked.getSpread().equals(asked.getWithin())
                        || (asked.getRequired() && asked.getSpread().equals(asked.getPack())));
        if (inOneDomain && count > Math.max(1, asked.getMaxPerDomain())) {
            throw Problems.invalid(
                    field + ".spread: \"" + asked.getSpread() + "\" (expected: another level than that of which one "
                            + "domain must hold all " + count + " tasks)");
        }
        if (!asked.getSpread().isEmpty() && asked.getSliceTasks() > 0) {
            throw Problems.invalid(field + ".spread: \"" + asked.getSpread() + "\" (expected: none beside slices)");
        }
    }

    /** Of all groups together. */
    static void checkOfJob(String field, Topology asked) {
        packing(field, asked);
        boolean ofGroups = asked.getSliceTasks() != 0
                || !asked.getSliceLevel().isEmpty()
                || !asked.getSpread().isEmpty()
                || asked.getMaxPerDomain() != 0;
        if (ofGroups) {
            throw Problems.invalid(field + ": slices or spread (expected: these in the topology of a group)");
        }
    }

    private static void packing(String field, Topology asked) {
        level(field + ".pack", asked.getPack());
        level(field + ".within", asked.getWithin());
        if (asked.getRequired() && asked.getPack().isEmpty()) {
            throw Problems.invalid(field + ".required: true (expected: together with pack)");
        }
    }

    private static void slices(String field, Topology asked, int count) {
        level(field + ".sliceLevel", asked.getSliceLevel());
        Problems.range(field + ".sliceTasks", asked.getSliceTasks(), 0, count);
        if ((asked.getSliceTasks() > 0) == asked.getSliceLevel().isEmpty()) {
            throw Problems.invalid(field + ".sliceLevel: "
                    + (asked.getSliceLevel().isEmpty() ? "empty" : "set") + " (expected: together with sliceTasks)");
        }
        if (asked.getSliceTasks() > 0 && count % asked.getSliceTasks() != 0) {
            throw Problems.invalid(field + ".sliceTasks: " + asked.getSliceTasks()
                    + " (expected: a number that divides the count of " + count + ")");
        }
    }

    private static void level(String field, String level) {
        if (!level.isEmpty()) {
            Problems.require(Names.labelProblem(field, level));
        }
    }
}
