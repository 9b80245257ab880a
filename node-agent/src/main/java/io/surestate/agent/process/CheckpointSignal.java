package io.surestate.agent.process;

import io.surestate.api.v1.CheckpointPolicy;
import io.surestate.api.v1.DesiredTask;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a task's leading process for checkpoints by a signal: at the policy's interval, and before a planned stop, which then waits for a newer step. A process
 * that does not catch the signal, which would end it, is not asked. Agent thread only; times in milliseconds on the boot clock.
 */
final class CheckpointSignal {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointSignal.class);

    /** In the kernel's numbers. */
    private record Signal(String name, int number) {}

    private final Signal signal;
    private final long intervalMillis;
    private final long graceMillis;
    private long nextMillis = -1;
    private long stopMillis = -1;
    private long stepBefore;
    private boolean asked;

    private CheckpointSignal(Signal signal, CheckpointPolicy policy) {
        this.signal = signal;
        this.intervalMillis = policy.getIntervalMillis();
        this.graceMillis = policy.getGraceMillis();
    }

    /** Empty where the job wants none. */
    static Optional<CheckpointSignal> of(DesiredTask task) {
        CheckpointPolicy policy = task.getCheckpoint();
        return signal(policy).map(signal -> new CheckpointSignal(signal, policy));
    }

    private static Optional<Signal> signal(CheckpointPolicy policy) {
        return switch (policy.getSignal()) {
            case CHECKPOINT_SIGNAL_SIGHUP -> Optional.of(new Signal("HUP", 1));
            case CHECKPOINT_SIGNAL_SIGUSR1 -> Optional.of(new Signal("USR1", 10));
            case CHECKPOINT_SIGNAL_SIGUSR2 -> Optional.of(new Signal("USR2", 12));
            default -> Optional.empty();
        };
    }

    /** Asks whenever the interval has passed, counted from the first call. */
    void askRegularly(long nowMillis, ProcessId leader, ProcessTable table) {
        if (nextMillis < 0) {
            nextMillis = nowMillis + intervalMillis;
        } else if (nowMillis >= nextMillis && stopMillis < 0) {
            nextMillis = nowMillis + intervalMillis;
            var unused = ask(leader, table);
        }
    }

    /**
     * Asks once, at the first call, and tells whether the stop may go on: there is a newer step than at that call, the grace is over, or the process could not
     * be asked.
     */
    boolean mayStop(long nowMillis, ProcessId leader, ProcessTable table, long newestStep) {
        if (stopMillis < 0) {
            stopMillis = nowMillis;
            stepBefore = newestStep;
            asked = ask(leader, table);
            if (!asked) {
                LOG.info("event=checkpoint-not-asked pid={} signal=SIG{}", leader.pid(), signal.name());
            }
        }
        return !asked || newestStep > stepBefore || nowMillis - stopMillis >= graceMillis;
    }

    private boolean ask(ProcessId leader, ProcessTable table) {
        if (!table.isLive(leader) || !table.catches(leader.pid(), signal.number())) {
            return false;
        }
        try {
            // Java sends no other signal than TERM and KILL.
            var unused = new ProcessBuilder(List.of(
                            "/bin/sh", "-c", "kill -s \"$0\" \"$1\"", signal.name(), Long.toString(leader.pid())))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            return true;
        } catch (IOException e) {
            LOG.warn("event=checkpoint-signal-failed pid={} error=\"{}\"", leader.pid(), e.toString());
            return false;
        }
    }
}
