/** Completion scripts for shells. */
@NullMarked
package io.surestate.cli.completion;

import org.jspecify.annotations.NullMarked;
