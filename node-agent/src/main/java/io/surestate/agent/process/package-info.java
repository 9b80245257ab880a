/** Tasks as real processes: journal, launcher, process table, checkpoints. */
@NullMarked
package io.surestate.agent.process;

import org.jspecify.annotations.NullMarked;
