/** A whole cluster that shows what it can survive, and then goes away. */
@NullMarked
package io.surestate.cli.quickstart;

import org.jspecify.annotations.NullMarked;
