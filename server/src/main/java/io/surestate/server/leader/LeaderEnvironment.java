package io.surestate.server.leader;

import io.surestate.server.apply.Views;
import io.surestate.server.commit.ClusterClock;
import io.surestate.server.log.ReadIndexRounds;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * What every leader duty works with.
 *
 * @param views the newest applied state
 * @param clock cluster time
 * @param proposals the only way into the log
 * @param readIndex confirms that this server still leads
 * @param loop runs one thing at a time, in order
 * @param monotonicNanos measures silence and waiting on this server
 */
public record LeaderEnvironment(
        Views views,
        ClusterClock clock,
        Proposals proposals,
        ReadIndexRounds readIndex,
        Executor loop,
        LongSupplier monotonicNanos) {}
