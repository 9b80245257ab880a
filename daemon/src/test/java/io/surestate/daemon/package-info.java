/** Tests of what server and agent have in common. */
@NullMarked
package io.surestate.daemon;

import org.jspecify.annotations.NullMarked;
