package io.surestate.statemachine.decision;

/** Levels of apply behaviour. What a level does is frozen; a change of behaviour is a new handler from a new level. */
public final class FeatureLevels {
    /** Level of a new cluster. */
    public static final int FIRST = 1;
    /** Highest level whose entries this build applies. */
    public static final int NEWEST = 1;

    private FeatureLevels() {}
}
