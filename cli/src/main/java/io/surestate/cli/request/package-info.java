/** Commands about what became of requests. */
@NullMarked
package io.surestate.cli.request;

import org.jspecify.annotations.NullMarked;
