/** Client requests: their way into the log, and what became of them. */
@NullMarked
package io.surestate.server.request;

import org.jspecify.annotations.NullMarked;
