/** Commands about who holds what, and about plans and holds. */
@NullMarked
package io.surestate.cli.ledger;

import org.jspecify.annotations.NullMarked;
