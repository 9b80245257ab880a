package io.surestate.agent.process;

import static org.assertj.core.api.Assertions.fail;

import io.surestate.api.v1.NodeSpec;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waiting for real processes, and what a driver over them needs. */
public final class RealProcesses {
    private static final long GENEROUS_MILLIS = 30_000;

    private RealProcesses() {}

    /** Looks every 20 ms, for half a minute at most. */
    public static void await(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(GENEROUS_MILLIS);
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                fail("never came true: " + what);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    static long nowMillis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    }

    static ProcessDriver.Settings settings(Path root, String nodeId, String incarnation) {
        return settings(root, nodeId, incarnation, Accounts.own(), Isolation.none(NodeSpec::getDefaultInstance));
    }

    static ProcessDriver.Settings settings(
            Path root, String nodeId, String incarnation, Accounts accounts, Isolation isolation) {
        return settings(root, nodeId, incarnation, accounts, isolation, Optional.empty());
    }

    static ProcessDriver.Settings settings(
            Path root,
            String nodeId,
            String incarnation,
            Accounts accounts,
            Isolation isolation,
            Optional<Containers> containers) {
        return new ProcessDriver.Settings(
                root.resolve("tasks"),
                root.resolve("lib"),
                root.resolve("checkpoints"),
                nodeId,
                "boot",
                incarnation,
                "/tmp",
                300,
                Tools.find(),
                accounts,
                isolation,
                containers,
                new PortRange(20_000, 29_999),
                List.of("127.0.0.1:7300"));
    }

    public static boolean lives(long pid) {
        return new ProcessTable(Path.of("/proc")).identify(pid).isPresent();
    }
}
