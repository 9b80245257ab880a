/** Tests. */
@NullMarked
package io.surestate.cli;

import org.jspecify.annotations.NullMarked;
