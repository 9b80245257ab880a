/**
 * Work that only the leader does, as one list that is switched on after the barrier of its term and off in reverse order. Start at
 * {@link io.surestate.server.leader.LeaderDuties}. Everything here runs on one loop; its soft state is rebuilt from the replicated state.
 */
@NullMarked
package io.surestate.server.leader;

import org.jspecify.annotations.NullMarked;
