/**
 * The state as an immutable value, and the changes that lead from one value to the next.
 *
 * <p>Nothing here decides: handlers make {@link io.surestate.statemachine.state.Change changes}, {@link
 * io.surestate.statemachine.state.ClusterState} takes them. Every type is safe for any thread.
 */
@NullMarked
package io.surestate.statemachine.state;

import org.jspecify.annotations.NullMarked;
