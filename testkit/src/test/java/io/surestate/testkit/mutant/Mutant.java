package io.surestate.testkit.mutant;

import java.util.List;

/**
 * A defect, and a seed that shows it.
 *
 * @param name what is wrong
 * @param seed the first one that shows it
 */
record Mutant(String name, long seed, List<Edit> edits) {
    Mutant {
        edits = List.copyOf(edits);
    }

    @Override
    public String toString() {
        return name;
    }
}
