package io.surestate.agent.process;

import java.util.Optional;

/**
 * A process, told apart from a later one with the same number.
 *
 * @param startTicks start time as in {@code /proc/PID/stat}
 */
public record ProcessId(long pid, long startTicks) {
    /** Reads {@code PID START}. */
    public static Optional<ProcessId> parse(String text) {
        String[] parts = text.strip().split(" ", -1);
        if (parts.length != 2) {
            return Optional.empty();
        }
        try {
            return Optional.of(new ProcessId(Long.parseLong(parts[0]), Long.parseLong(parts[1])));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
