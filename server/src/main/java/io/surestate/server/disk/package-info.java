/** Folders on disk: removal and durability. */
@NullMarked
package io.surestate.server.disk;

import org.jspecify.annotations.NullMarked;
