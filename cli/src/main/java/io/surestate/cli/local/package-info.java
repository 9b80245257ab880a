/** Servers and agents as child processes on this machine. */
@NullMarked
package io.surestate.cli.local;

import org.jspecify.annotations.NullMarked;
