package io.surestate.agent.process;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Ends a process tree: a stop signal to each member once, then, after the grace, kills until nothing is left. Agent thread only.
 *
 * <p>Who only tells of the others' end is spared as long as it may still do so: the launcher, which writes down how the task ended and copies its outputs,
 * and an OCI runtime.
 */
final class TreeKiller {
    private static final long WITNESS_MILLIS_MAX = 2_000;
    private static final int EMPTY_SCANS = 2;

    private final Set<ProcessId> signalled = new HashSet<>();
    private long killMillis = Long.MAX_VALUE;
    private long witnessesAloneMillis = -1;
    private int emptyScans;

    /** Kill from {@code nowMillis} plus {@code graceMillis} on, or earlier if that was said before. */
    void begin(long nowMillis, long graceMillis) {
        killMillis = Math.min(killMillis, nowMillis + graceMillis);
    }

    boolean begun() {
        return killMillis != Long.MAX_VALUE;
    }

    /** Whether the grace is over. */
    boolean kills(long nowMillis) {
        return nowMillis >= killMillis;
    }

    /**
     * Goes on with what {@code members} are left.
     *
     * @return whether the tree is proven empty: no member in two looks in a row, because one look at a list that changes under it
     *     can miss a child
     */
    boolean pursue(List<ProcessId> members, Set<ProcessId> witnesses, ProcessTable table, long nowMillis) {
        if (members.isEmpty()) {
            return ++emptyScans >= EMPTY_SCANS;
        }
        emptyScans = 0;
        boolean witnessesAlone = witnesses.containsAll(members);
        if (!witnessesAlone) {
            witnessesAloneMillis = -1;
        } else if (witnessesAloneMillis < 0) {
            witnessesAloneMillis = nowMillis;
        }
        for (ProcessId member : members) {
            boolean spared = witnesses.contains(member)
                    && !(witnessesAlone && nowMillis - witnessesAloneMillis >= WITNESS_MILLIS_MAX);
            // The look may be a moment old: its number may be another process' by now.
            if (!spared && table.isLive(member)) {
                end(member, witnesses.contains(member) || kills(nowMillis));
            }
        }
        return false;
    }

    private void end(ProcessId member, boolean kill) {
        if (kill) {
            ProcessHandle.of(member.pid()).ifPresent(ProcessHandle::destroyForcibly);
        } else if (signalled.add(member)) {
            ProcessHandle.of(member.pid()).ifPresent(ProcessHandle::destroy);
        }
    }
}
