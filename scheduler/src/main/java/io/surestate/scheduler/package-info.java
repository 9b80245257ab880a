/** Pure placement: a view of the cluster and pending gangs in, a plan and its explanation out. */
@NullMarked
package io.surestate.scheduler;

import org.jspecify.annotations.NullMarked;
