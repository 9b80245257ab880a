/** Changes as they are applied, for everyone who watches. */
@NullMarked
package io.surestate.server.watch;

import org.jspecify.annotations.NullMarked;
