/**
 * Nodes as the leader knows them: the agents' streams, their leases, what each is told to run, and which are suspected or lost. Start at
 * {@link io.surestate.server.node.AgentHub}.
 */
@NullMarked
package io.surestate.server.node;

import org.jspecify.annotations.NullMarked;
