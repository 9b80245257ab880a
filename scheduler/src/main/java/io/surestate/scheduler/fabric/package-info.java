/**
 * The fabric tree over the nodes of a pool: which nodes lie in which domain of each level, and how far apart nodes are. Pure. Start at
 * {@link io.surestate.scheduler.fabric.Fabric}.
 */
@NullMarked
package io.surestate.scheduler.fabric;

import org.jspecify.annotations.NullMarked;
