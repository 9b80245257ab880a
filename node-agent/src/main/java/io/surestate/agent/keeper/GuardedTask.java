package io.surestate.agent.keeper;

/** A task that must not outlive the lease, named by its allocation and epoch. */
public record GuardedTask(String allocationId, long epoch) {}
