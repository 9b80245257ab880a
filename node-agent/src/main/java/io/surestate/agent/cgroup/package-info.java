/** Control groups of the kernel, one for each allocation: what holds a task to what it was given. Start at {@link io.surestate.agent.cgroup.ControlGroups}. */
@NullMarked
package io.surestate.agent.cgroup;

import org.jspecify.annotations.NullMarked;
