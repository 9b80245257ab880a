package io.surestate.scheduler.gang;

import io.surestate.scheduler.pool.Place;

/**
 * Where one task goes.
 *
 * @param index the task's rank in its group; from the group's count on: its spare places, slice after slice
 */
public record TaskPlace(String group, int index, Place place) {}
