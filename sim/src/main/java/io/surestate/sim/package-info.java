/** Replays traces in virtual time through the real scheduler. No server, clock or thread. */
@NullMarked
package io.surestate.sim;

import org.jspecify.annotations.NullMarked;
