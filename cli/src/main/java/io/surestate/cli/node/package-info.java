/** Commands about nodes and their topology. */
@NullMarked
package io.surestate.cli.node;

import org.jspecify.annotations.NullMarked;
