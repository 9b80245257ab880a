/**
 * The deterministic core: state and command in, outcome and changes out. No thread, clock, randomness or network.
 *
 * <p>Start at {@link io.surestate.statemachine.StateEngine}, which applies committed entries through {@link
 * io.surestate.statemachine.Core} and publishes {@link io.surestate.statemachine.StateView}s.
 */
@NullMarked
package io.surestate.statemachine;

import org.jspecify.annotations.NullMarked;
