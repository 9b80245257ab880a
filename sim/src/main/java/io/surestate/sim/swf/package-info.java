/** Batch logs in the Standard Workload Format. */
@NullMarked
package io.surestate.sim.swf;

import org.jspecify.annotations.NullMarked;
