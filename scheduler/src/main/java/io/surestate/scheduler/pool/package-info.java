/**
 * Compact, mutable rows of what is free, kept across scheduling passes, and the search for the best place of a task. No proto message is
 * built while searching. Everything here belongs to one thread. Start at {@link io.surestate.scheduler.pool.Pool} (what is free), then
 * {@link io.surestate.scheduler.pool.Placer} (where a shape goes best).
 */
@NullMarked
package io.surestate.scheduler.pool;

import org.jspecify.annotations.NullMarked;
