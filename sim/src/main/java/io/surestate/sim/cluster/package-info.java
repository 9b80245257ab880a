/**
 * A cluster in virtual time, whose state changes as on the servers: by commands that the state machine core decides. Start at
 * {@link io.surestate.sim.cluster.VirtualCluster}. No clock and no thread.
 */
@NullMarked
package io.surestate.sim.cluster;

import org.jspecify.annotations.NullMarked;
