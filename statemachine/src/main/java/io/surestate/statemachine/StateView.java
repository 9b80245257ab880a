package io.surestate.statemachine;

import io.surestate.statemachine.history.HistoryReader;
import io.surestate.statemachine.state.ClusterState;

/**
 * The whole state at one revision: what is live, and what is over. Any thread may keep and read it.
 *
 * @param term term of the entry at that revision
 */
public record StateView(ClusterState state, HistoryReader history, long revision, long term) {}
