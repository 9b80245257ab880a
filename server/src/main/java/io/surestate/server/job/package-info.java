/** Jobs: what may be submitted, the jobs service, and the scheduling loop that places what waits. */
@NullMarked
package io.surestate.server.job;

import org.jspecify.annotations.NullMarked;
