/** Metrics and health over HTTP. */
@NullMarked
package io.surestate.server.http;

import org.jspecify.annotations.NullMarked;
