package io.surestate.agent.process;

import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The newest checkpoint of one member, looked up on another thread. Called on the agent thread.
 *
 * <p>Checkpoints may lie on a shared file system that hangs; heartbeats must not hang with it.
 */
final class CheckpointWatch {
    private static final Logger LOG = LoggerFactory.getLogger(CheckpointWatch.class);

    private final CheckpointFolder folder;
    private final Executor files;
    private final AtomicBoolean looking = new AtomicBoolean();
    private final AtomicLong newest = new AtomicLong();
    private final AtomicLong looks = new AtomicLong();

    CheckpointWatch(CheckpointFolder folder, Executor files) {
        this.folder = folder;
        this.files = files;
    }

    /** Looks again, unless a look is still going on. True if this one was begun. */
    boolean look() {
        if (!looking.compareAndSet(false, true)) {
            return false;
        }
        files.execute(() -> {
            try {
                newest.accumulateAndGet(folder.newestStep(), Math::max);
            } catch (IOException e) {
                LOG.warn("event=checkpoints-unreadable folder={} error=\"{}\"", folder.path(), e.toString());
            } finally {
                looks.incrementAndGet();
                looking.set(false);
            }
        });
        return true;
    }

    /** Looks that have come to an end. */
    long looks() {
        return looks.get();
    }

    long newestStep() {
        return newest.get();
    }
}
