/** Nodes: registration, reports, suspicion and loss. */
@NullMarked
package io.surestate.statemachine.node;

import org.jspecify.annotations.NullMarked;
