/** Commands that go on telling what changes. */
@NullMarked
package io.surestate.cli.watch;

import org.jspecify.annotations.NullMarked;
