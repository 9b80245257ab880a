/** Tests. */
@NullMarked
package io.surestate.cli.local;

import org.jspecify.annotations.NullMarked;
