package io.surestate.scheduler.pool;

/** The CPU side of a row: what is free, and which cores a request gets. Mutable; one thread. */
sealed interface Cores permits FlatCores, ExactCores {
    /** Millicores that exist. */
    long capacityMilli();

    /** Millicores that are free, in whatever pieces. */
    long freeMilli();

    /** Whether a request of so many millicores can be met. */
    boolean fits(long milli);

    /** The shares that a request gets; only when it {@link #fits}. Changes nothing. */
    CoreShares choose(long milli);

    /** Takes what a fit names; refuses to go below zero. */
    void take(Fit fit);

    /** Gives back what a fit names; refuses to go above capacity. */
    void release(Fit fit);

    /** Two sides of equal state and equal kind answer {@link #fits} alike. */
    long state();
}
