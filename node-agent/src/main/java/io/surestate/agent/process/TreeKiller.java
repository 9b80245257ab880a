package io.surestate.agent.process;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Ends a process tree: a stop signal to each member once, then, after the grace, kills until nothing is left. Agent thread only.
 *
 * <p>The session leader is the launcher. It is spared as long as it may still be writing down how the task ended.
 */
final class TreeKiller {
    private static final long LAUNCHER_MILLIS_MAX = 2_000;
    private static final int EMPTY_SCANS = 2;

    private final Set<ProcessId> signalled = new HashSet<>();
    private long killMillis = Long.MAX_VALUE;
    private long leaderAloneMillis = -1;
    private int emptyScans;

    /** Kill from {@code nowMillis} plus {@code graceMillis} on, or earlier if that was said before. */
    void begin(long nowMillis, long graceMillis) {
        killMillis = Math.min(killMillis, nowMillis + graceMillis);
    }

    boolean begun() {
        return killMillis != Long.MAX_VALUE;
    }

    /**
     * Goes on with what {@code members} are left.
     *
     * @return whether the tree is proven empty: no member in two looks in a row, because one look at a list that changes under it
     *     can miss a child
     */
    boolean pursue(List<ProcessId> members, long leaderPid, long nowMillis) {
        if (members.isEmpty()) {
            return ++emptyScans >= EMPTY_SCANS;
        }
        emptyScans = 0;
        boolean leaderAlone = members.stream().allMatch(member -> member.pid() == leaderPid);
        if (!leaderAlone) {
            leaderAloneMillis = -1;
        } else if (leaderAloneMillis < 0) {
            leaderAloneMillis = nowMillis;
        }
        for (ProcessId member : members) {
            if (member.pid() != leaderPid) {
                end(member, nowMillis);
            } else if (leaderAlone && nowMillis - leaderAloneMillis >= LAUNCHER_MILLIS_MAX) {
                ProcessHandle.of(member.pid()).ifPresent(ProcessHandle::destroyForcibly);
            }
        }
        return false;
    }

    private void end(ProcessId member, long nowMillis) {
        if (nowMillis >= killMillis) {
            ProcessHandle.of(member.pid()).ifPresent(ProcessHandle::destroyForcibly);
        } else if (signalled.add(member)) {
            ProcessHandle.of(member.pid()).ifPresent(ProcessHandle::destroy);
        }
    }
}
