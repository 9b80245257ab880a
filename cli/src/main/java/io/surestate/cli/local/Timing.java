package io.surestate.cli.local;

import java.time.Duration;

/** How fast a local cluster notices that something is gone. */
public record Timing(Duration electionTimeout, Duration lease, Duration leaseMargin, Duration heartbeat) {
    /** The servers' own defaults. */
    public static Timing ordinary() {
        return new Timing(Duration.ofMillis(500), Duration.ofSeconds(20), Duration.ofSeconds(2), Duration.ofSeconds(1));
    }

    /** For demonstrations: a lost node is given up within some seconds, and a lease outlasts an election on a busy machine. */
    public static Timing quick() {
        return new Timing(
                Duration.ofMillis(500), Duration.ofSeconds(6), Duration.ofMillis(500), Duration.ofMillis(500));
    }
}
