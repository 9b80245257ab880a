/** The small process outside the agent that kills what must not outlive the lease. */
@NullMarked
package io.surestate.agent.keeper;

import org.jspecify.annotations.NullMarked;
