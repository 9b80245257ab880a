/**
 * The whole cluster on one thread in virtual time: real servers and agents without their threads and wires, over a log oracle, with
 * faults drawn from one seed. Start at {@link io.surestate.testkit.sim.Simulation}.
 */
@NullMarked
package io.surestate.testkit.sim;

import org.jspecify.annotations.NullMarked;
