/** What every handler works with: the context of an entry, the draft of its changes, the forms of outcomes. */
@NullMarked
package io.surestate.statemachine.decision;

import org.jspecify.annotations.NullMarked;
