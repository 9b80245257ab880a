/** Plans: all-or-nothing checks and allocations. */
@NullMarked
package io.surestate.statemachine.ledger;

import org.jspecify.annotations.NullMarked;
