/** What hardware this machine has. */
@NullMarked
package io.surestate.agent.discovery;

import org.jspecify.annotations.NullMarked;
