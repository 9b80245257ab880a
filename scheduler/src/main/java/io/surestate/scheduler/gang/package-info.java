/**
 * Whole gangs: where all tasks of all groups go at once, near each other or apart as their topology asks, or why they do not. Takes room in a
 * pool while it searches and gives it back where the gang does not fit whole. One thread. Start at {@link io.surestate.scheduler.gang.GangSearch}.
 */
@NullMarked
package io.surestate.scheduler.gang;

import org.jspecify.annotations.NullMarked;
