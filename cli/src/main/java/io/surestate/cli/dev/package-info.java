/** A small cluster in the foreground, for people who write against it. */
@NullMarked
package io.surestate.cli.dev;

import org.jspecify.annotations.NullMarked;
