/** Apache Ratis behind {@link io.surestate.server.log.ReplicatedLog}; the only package that knows it. Start at RatisLog. */
@NullMarked
package io.surestate.server.raft;

import org.jspecify.annotations.NullMarked;
