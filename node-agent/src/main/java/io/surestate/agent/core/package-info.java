/** The agent's protocol with the leader, single-threaded and free of clocks, processes and network: drive it by messages and polls. */
@NullMarked
package io.surestate.agent.core;

import org.jspecify.annotations.NullMarked;
