/** Tests. */
@NullMarked
package io.surestate.cli.output;

import org.jspecify.annotations.NullMarked;
