/**
 * Files of simulations, plain or gzip, bounded: bytes ({@link io.surestate.sim.trace.TraceInput}), lines, rows of named cells, tables under
 * a heading. Every reader of traces stands on these; what is wrong is a {@link io.surestate.sim.trace.TraceException}.
 */
@NullMarked
package io.surestate.sim.trace;

import org.jspecify.annotations.NullMarked;
