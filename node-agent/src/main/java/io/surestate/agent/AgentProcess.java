package io.surestate.agent;

import io.surestate.agent.core.AgentCore;
import io.surestate.agent.core.BootClock;
import io.surestate.agent.output.OutputStreams;
import io.surestate.daemon.ServiceManager;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running agent: one thread that lets its cores see the time, one that sends output. Start and close once each. */
final class AgentProcess implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AgentProcess.class);
    private static final long POLL_MILLIS = 100;
    private static final int FATAL_EXIT_CODE = 70;

    private final AgentThreads threads;
    private final BootClock clock;
    private final List<AgentCore> cores;
    private final Runnable afterPoll;
    private final OutputStreams output;
    private final List<AutoCloseable> owned;
    private final List<ScheduledFuture<?>> rounds = new ArrayList<>();

    /**
     * @param afterPoll runs on the agent thread after each poll of the cores
     */
    AgentProcess(
            AgentThreads threads,
            BootClock clock,
            List<AgentCore> cores,
            Runnable afterPoll,
            OutputStreams output,
            List<AutoCloseable> owned) {
        this.threads = threads;
        this.clock = clock;
        this.cores = List.copyOf(cores);
        this.afterPoll = afterPoll;
        this.output = output;
        this.owned = List.copyOf(owned);
    }

    /** Begins its rounds; the service manager is told that they come round. */
    void start(ServiceManager manager) {
        rounds.add(threads.agent()
                .scheduleWithFixedDelay(
                        () -> {
                            guarded(this::poll);
                            manager.beat();
                        },
                        0,
                        POLL_MILLIS,
                        TimeUnit.MILLISECONDS));
        rounds.add(threads.output()
                .scheduleWithFixedDelay(() -> guarded(output::poll), POLL_MILLIS, POLL_MILLIS, TimeUnit.MILLISECONDS));
    }

    private void poll() {
        for (AgentCore core : cores) {
            guarded(() -> core.poll(clock.nowMillis()));
        }
        afterPoll.run();
    }

    /** One bad round must not end the rounds; after an error of the machine itself nothing can be trusted. */
    private static void guarded(Runnable round) {
        try {
            round.run();
        } catch (RuntimeException e) {
            LOG.error("event=round-failed", e);
        } catch (Error e) {
            LOG.error("event=fatal", e);
            Runtime.getRuntime().halt(FATAL_EXIT_CODE);
        }
    }

    /** Leaves the tasks running. */
    @Override
    public void close() {
        try {
            threads.agent().submit(() -> cores.forEach(AgentCore::close)).get(1, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (java.util.concurrent.ExecutionException | TimeoutException e) {
            LOG.warn("event=close-incomplete error=\"{}\"", e.toString());
        }
        for (AutoCloseable part : owned) {
            try {
                part.close();
            } catch (Exception e) {
                LOG.warn("event=close-incomplete error=\"{}\"", e.toString());
            }
        }
        threads.end();
    }
}
