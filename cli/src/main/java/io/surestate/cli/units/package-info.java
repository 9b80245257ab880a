/** The table by which unlike accelerators compare. */
@NullMarked
package io.surestate.cli.units;

import org.jspecify.annotations.NullMarked;
