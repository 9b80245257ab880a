/** Trace files: plain or gzip, line by line, bounded. */
@NullMarked
package io.surestate.sim.trace;

import org.jspecify.annotations.NullMarked;
