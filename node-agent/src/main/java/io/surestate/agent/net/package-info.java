/** The agent's streams over gRPC. */
@NullMarked
package io.surestate.agent.net;

import org.jspecify.annotations.NullMarked;
