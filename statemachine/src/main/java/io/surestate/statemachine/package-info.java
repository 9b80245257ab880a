/** The deterministic core: state and command in, outcome and changes out. No thread, clock, randomness or network. */
@NullMarked
package io.surestate.statemachine;

import org.jspecify.annotations.NullMarked;
