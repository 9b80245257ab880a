/** Client requests: exactly once, by key and fingerprint. */
@NullMarked
package io.surestate.statemachine.request;

import org.jspecify.annotations.NullMarked;
