package io.surestate.server.log;

import java.util.Optional;

/** An entry or a read was not confirmed. */
public final class ProposalFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Optional<String> leaderId;
    private final boolean outcomeUnknown;

    private ProposalFailedException(String message, Optional<String> leaderId, boolean outcomeUnknown) {
        super(message, null, false, false);
        this.leaderId = leaderId;
        this.outcomeUnknown = outcomeUnknown;
    }

    /** Nothing was appended: another server leads, or none is known. */
    public static ProposalFailedException notLeader(Optional<String> leaderId) {
        return new ProposalFailedException("not the leader", leaderId, false);
    }

    /** Nothing was appended. */
    public static ProposalFailedException rejected(String reason) {
        return new ProposalFailedException(reason, Optional.empty(), false);
    }

    /** The entry may or may not be committed, now or later. */
    public static ProposalFailedException unknown(String reason) {
        return new ProposalFailedException(reason, Optional.empty(), true);
    }

    public Optional<String> leaderId() {
        return leaderId;
    }

    public boolean outcomeUnknown() {
        return outcomeUnknown;
    }
}
