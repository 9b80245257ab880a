package io.surestate.statemachine.state;

/**
 * A node's load at a glance: what is taken of what there is. Taken may exceed capacity after a node shrank.
 *
 * @param allocations live allocations of any state
 */
public record NodeUsage(
        int allocations,
        long takenCoreMilli,
        long capacityCoreMilli,
        long takenMemoryBytes,
        long capacityMemoryBytes,
        long takenDeviceMilli,
        long capacityDeviceMilli,
        int quarantinedDevices) {}
