/** From a command to its outcome: grouping into entries, cluster time, load shedding. Start at {@link io.surestate.server.commit.GroupCommit}. */
@NullMarked
package io.surestate.server.commit;

import org.jspecify.annotations.NullMarked;
