package io.surestate.agent.process;

import java.util.Optional;
import java.util.Set;

/**
 * How a program ended.
 *
 * @param code 0-255; 0 when {@code signal} is not 0
 * @param signal that killed it; 0 = it exited
 */
record Exit(int code, int signal) {
    private static final int SIGNAL_BASE = 128;
    private static final int SIGNAL_MAX = 64;
    /** SIGINT and SIGPIPE: shells say nothing about these two. */
    private static final Set<Integer> SILENT_SIGNALS = Set.of(2, 13);

    /**
     * Reads the launcher's {@code STATUS REMARK}. A shell gives 128 + n both for a program killed by signal n and for one that
     * exited with that code; only of the first it remarks on its error output, and the remark's presence is the second number.
     */
    static Optional<Exit> parse(String text) {
        String[] parts = text.split(" ", -1);
        if (parts.length != 2) {
            return Optional.empty();
        }
        try {
            int status = Integer.parseInt(parts[0]);
            int signal = status - SIGNAL_BASE;
            boolean killed =
                    signal > 0 && signal <= SIGNAL_MAX && (parts[1].equals("1") || SILENT_SIGNALS.contains(signal));
            return Optional.of(killed ? new Exit(0, signal) : new Exit(status, 0));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** What an OCI runtime's own exit says of the program: it ends with 128 + n for one that was killed by signal n, and cannot say it otherwise. */
    Exit ofRuntime() {
        int killer = code - SIGNAL_BASE;
        return signal == 0 && killer > 0 && killer <= SIGNAL_MAX ? new Exit(0, killer) : this;
    }
}
