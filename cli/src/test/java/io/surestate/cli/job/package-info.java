/** Tests. */
@NullMarked
package io.surestate.cli.job;

import org.jspecify.annotations.NullMarked;
