/** surestate-agent: discovers a node, holds its lease, runs its tasks and proves what it holds. */
@NullMarked
package io.surestate.agent;

import org.jspecify.annotations.NullMarked;
