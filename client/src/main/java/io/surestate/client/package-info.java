/** Java client: follows the leader, retries what is safe, turns refusals into typed errors. */
@NullMarked
package io.surestate.client;

import org.jspecify.annotations.NullMarked;
