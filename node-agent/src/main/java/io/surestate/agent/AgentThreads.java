package io.surestate.agent;

import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads of an agent process.
 *
 * @param agent the protocol and the tasks; nothing slow may run here, the lease depends on it
 * @param output task output
 * @param files launches and looks at checkpoints; may hang with a file system
 * @param images unpacks images
 * @param housekeeping removes what is over
 * @param devices looks at devices; each look may take as long as the maker's program
 * @param commands that callers run within tasks; as many threads as those need, which are bounded in number
 */
record AgentThreads(
        ScheduledExecutorService agent,
        ScheduledExecutorService output,
        ScheduledExecutorService files,
        ScheduledExecutorService images,
        ScheduledExecutorService housekeeping,
        ScheduledExecutorService devices,
        ExecutorService commands) {
    private static final Logger LOG = LoggerFactory.getLogger(AgentThreads.class);
    private static final long END_MILLIS_MAX = 2_000;

    /** @param looks that may be under way at one time */
    AgentThreads(int looks) {
        this(
                thread("agent"),
                thread("output"),
                thread("files"),
                thread("images"),
                thread("housekeeping"),
                threads("devices", looks),
                Executors.newCachedThreadPool(named("commands")));
    }

    private static ScheduledExecutorService thread(String name) {
        return Executors.newSingleThreadScheduledExecutor(named(name));
    }

    private static ScheduledExecutorService threads(String name, int count) {
        return Executors.newScheduledThreadPool(count, named(name));
    }

    private static ThreadFactory named(String name) {
        return task -> {
            Thread thread = new Thread(task, "surestate-" + name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** Does it now and then, on the housekeeping thread; what fails is tried again. */
    void repeat(String what, Runnable work, long everyMillis) {
        var unused = housekeeping.scheduleWithFixedDelay(
                () -> {
                    try {
                        work.run();
                    } catch (RuntimeException e) {
                        LOG.warn("event={}-failed", what, e);
                    }
                },
                0,
                everyMillis,
                TimeUnit.MILLISECONDS);
    }

    /** Ends them all; what runs now may finish within two seconds. */
    void end() {
        List<ExecutorService> all = List.of(output, agent, files, images, housekeeping, devices, commands);
        all.forEach(ExecutorService::shutdown);
        // Commands in tasks have nobody left to talk to.
        commands.shutdownNow();
        try {
            for (ExecutorService executor : all) {
                if (!executor.awaitTermination(END_MILLIS_MAX, TimeUnit.MILLISECONDS)) {
                    executor.shutdownNow();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
