package io.surestate.statemachine.state;

/**
 * A node's load at a glance: what is held of what there is. Held may exceed capacity after a node shrank.
 *
 * @param allocations live allocations of any state
 */
public record NodeUsage(
        int allocations,
        long heldCoreMilli,
        long capacityCoreMilli,
        long heldMemoryBytes,
        long capacityMemoryBytes,
        long heldDeviceMilli,
        long capacityDeviceMilli) {}
