package io.surestate.agent.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;

/** This machine's control groups, for tests that need them. */
public final class KernelGroups {
    private KernelGroups() {}

    /** Skips the test, saying why, where the machine or the account has none. */
    public static ControlGroups orSkip(String nodeId) {
        return open(nodeId).orElseGet(() -> {
            Assumptions.abort("no control groups here: a kernel with cpuset, memory and pids, and root, are needed");
            throw new AssertionError();
        });
    }

    private static Optional<ControlGroups> open(String nodeId) {
        try {
            return Optional.of(ControlGroups.open(Path.of("/proc"), "surestate-test", nodeId));
        } catch (IOException none) {
            return Optional.empty();
        }
    }
}
