package io.surestate.server.commit;

import io.surestate.log.v1.Outcome;

/** What a command came to, and the revision of the entry that carried it. */
public record CommandOutcome(long revision, Outcome outcome) {}
