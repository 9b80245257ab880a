/** Figures and curves of simulations, as files for people. */
@NullMarked
package io.surestate.sim.report;

import org.jspecify.annotations.NullMarked;
