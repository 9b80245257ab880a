/**
 * The contract of the replicated log without Raft: {@link io.surestate.testkit.log.LogOracle} knows every member and decides who leads;
 * what reaches whom, when, is up to a {@link io.surestate.testkit.log.Network}.
 */
@NullMarked
package io.surestate.testkit.log;

import org.jspecify.annotations.NullMarked;
