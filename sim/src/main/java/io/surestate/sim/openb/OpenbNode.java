package io.surestate.sim.openb;

/**
 * A node of the trace.
 *
 * @param cpuMilli millicores
 * @param memoryMib mebibytes
 * @param gpus devices, at least 0
 * @param model of all its devices; empty without devices
 */
public record OpenbNode(String name, long cpuMilli, long memoryMib, int gpus, String model) {}
