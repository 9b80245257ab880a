/**
 * Replay of gangs on the nodes of a cluster: the scheduler finds their places, the state machine core gives them out. Start at
 * {@link io.surestate.sim.nodes.NodeMachine}. No clock and no thread.
 */
@NullMarked
package io.surestate.sim.nodes;

import org.jspecify.annotations.NullMarked;
