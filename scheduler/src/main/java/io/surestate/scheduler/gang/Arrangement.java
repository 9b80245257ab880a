package io.surestate.scheduler.gang;

/** How the tasks of a group lie to each other where its topology does not say. */
public enum Arrangement {
    /** In as few and as small domains as there is room in: tasks that talk to each other. */
    NEAR,
    /** In as many domains as can be, so that one that fails takes few of them along. */
    APART,
    /** As the policy likes, each for itself. */
    ANY
}
