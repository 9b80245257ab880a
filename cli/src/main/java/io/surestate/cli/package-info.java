/**
 * ssctl: the command line. {@link io.surestate.cli.SsctlMain} is the entry, {@link io.surestate.cli.Ssctl} the command tree; each
 * group of commands has a package of its own.
 */
@NullMarked
package io.surestate.cli;

import org.jspecify.annotations.NullMarked;
