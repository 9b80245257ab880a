package io.surestate.testkit.mutant;

/** Plays one seed. The one type that a project with a defect shares with the test, beside the contract. */
public interface Trial {
    /** What did not hold; empty = everything did. */
    String run(long seed);
}
