/** The ledger as it is read: who holds what. */
@NullMarked
package io.surestate.server.ledger;

import org.jspecify.annotations.NullMarked;
