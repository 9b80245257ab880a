/**
 * What makes one place better than another: small classes behind one interface. They compute from rows, learn only from what was seen, and
 * hold no thread, clock or randomness of their own. Start at {@link io.surestate.scheduler.policy.Policy}.
 */
@NullMarked
package io.surestate.scheduler.policy;

import org.jspecify.annotations.NullMarked;
