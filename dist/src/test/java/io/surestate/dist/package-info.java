/** Runs what a user runs: the launchers, and every command of the README. */
@NullMarked
package io.surestate.dist;

import org.jspecify.annotations.NullMarked;
