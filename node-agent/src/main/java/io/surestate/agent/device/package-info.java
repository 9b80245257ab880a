/** What the tools of its devices say of this machine, again and again. */
@NullMarked
package io.surestate.agent.device;

import org.jspecify.annotations.NullMarked;
