/** Tests of control groups, on the kernel's own where it has them. */
@NullMarked
package io.surestate.agent.cgroup;

import org.jspecify.annotations.NullMarked;
