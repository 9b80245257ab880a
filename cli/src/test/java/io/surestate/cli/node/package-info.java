/** Tests. */
@NullMarked
package io.surestate.cli.node;

import org.jspecify.annotations.NullMarked;
