package io.surestate.scheduler.gang;

import io.surestate.scheduler.pool.Place;

/**
 * Where one task goes.
 *
 * @param index the task's rank in its group
 */
public record TaskPlace(String group, int index, Place place) {}
