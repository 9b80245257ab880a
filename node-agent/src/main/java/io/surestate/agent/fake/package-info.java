/** Nodes that do not exist: virtual tasks under the real protocol. */
@NullMarked
package io.surestate.agent.fake;

import org.jspecify.annotations.NullMarked;
