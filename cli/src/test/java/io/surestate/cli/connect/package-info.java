/** Tests. */
@NullMarked
package io.surestate.cli.connect;

import org.jspecify.annotations.NullMarked;
