/**
 * All that the server sees of Raft: {@link io.surestate.server.log.ReplicatedLog} takes entries and says who leads, and hands committed
 * entries to a {@link io.surestate.server.log.LogConsumer}. Nothing here knows which implementation stands behind it.
 */
@NullMarked
package io.surestate.server.log;

import org.jspecify.annotations.NullMarked;
