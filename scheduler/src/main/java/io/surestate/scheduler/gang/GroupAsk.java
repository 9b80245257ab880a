package io.surestate.scheduler.gang;

import io.surestate.api.v1.Topology;
import io.surestate.scheduler.pool.Shape;

/**
 * A group of alike tasks. Immutable.
 *
 * @param count tasks, at least 1
 * @param topology admitted: levels are named where they are needed, slices divide the count
 */
public record GroupAsk(String name, Shape shape, int count, Topology topology) {}
