package io.surestate.server.log;

import java.util.Optional;

/**
 * Who leads, as one server knows it.
 *
 * @param term term of this knowledge; never goes back
 * @param leaderId id of the leader, if known
 * @param leading this server is the leader of the term
 * @param ready this server leads and has applied everything committed before its term: leader work may begin
 */
public record Leadership(long term, Optional<String> leaderId, boolean leading, boolean ready) {
    /** Before anything was heard. */
    public static final Leadership UNKNOWN = new Leadership(0, Optional.empty(), false, false);

    public Leadership {
        if (ready && !leading) {
            throw new IllegalArgumentException("ready: true (expected: only while leading)");
        }
    }

    public static Leadership leader(long term, String self, boolean ready) {
        return new Leadership(term, Optional.of(self), true, ready);
    }

    public static Leadership follower(long term, Optional<String> leaderId) {
        return new Leadership(term, leaderId, false, false);
    }
}
