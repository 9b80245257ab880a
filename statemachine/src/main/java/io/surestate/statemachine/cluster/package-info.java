/** The cluster's own record: first command and expiry. */
@NullMarked
package io.surestate.statemachine.cluster;

import org.jspecify.annotations.NullMarked;
