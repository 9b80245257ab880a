/** Traces of jobs that take gangs of GPUs, as jobs of so many equal processors. */
@NullMarked
package io.surestate.sim.gpujobs;

import org.jspecify.annotations.NullMarked;
