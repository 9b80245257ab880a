package io.surestate.statemachine;

import io.surestate.log.v1.LogEntry;
import java.util.Optional;

/**
 * One committed entry of the replicated log.
 *
 * @param term term in which the log holds it
 * @param entry empty = the log's own entry (configuration, start of a term); it still advances the revision
 */
@SuppressWarnings("OptionalUsedAsFieldOrParameterType")
public record CommittedEntry(long term, long index, Optional<LogEntry> entry) {
    public CommittedEntry {
        if (index <= 0 || term < 0) {
            throw new IllegalArgumentException(
                    "index: " + index + " (expected: 1 or greater, in a term of 0 or greater)");
        }
    }

    public static CommittedEntry of(long term, long index, LogEntry entry) {
        return new CommittedEntry(term, index, Optional.of(entry));
    }

    /** An entry of the log itself. */
    public static CommittedEntry empty(long term, long index) {
        return new CommittedEntry(term, index, Optional.empty());
    }
}
