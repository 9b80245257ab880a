/** How the machine is doing, read now and then; heartbeats carry the newest reading. Start at {@link io.surestate.agent.telemetry.MachineTelemetry}. */
@NullMarked
package io.surestate.agent.telemetry;

import org.jspecify.annotations.NullMarked;
