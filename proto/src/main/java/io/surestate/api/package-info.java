/**
 * What every part must agree on beside the messages: {@link io.surestate.api.Limits limits}, {@link io.surestate.api.ErrorCodes
 * what an error code means} and {@link io.surestate.api.Names what a name may be}.
 */
@NullMarked
package io.surestate.api;

import org.jspecify.annotations.NullMarked;
