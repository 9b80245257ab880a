package io.surestate.testkit.sim;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Executor;

/** A single-threaded executor in virtual time: runs what it is given in order, a little later, while its process runs. */
final class SimLoop implements Executor {
    private final EventQueue events;
    private final Random random;
    private final SimNetwork network;
    private final String process;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean scheduled;
    private boolean ended;
    private long heldUntilMillis;

    SimLoop(String process, SimNetwork network, EventQueue events, Random random) {
        this.process = process;
        this.network = network;
        this.events = events;
        this.random = random;
    }

    @Override
    public void execute(Runnable work) {
        if (ended) {
            return;
        }
        waiting.add(work);
        schedule();
    }

    private void schedule() {
        if (!scheduled) {
            scheduled = true;
            events.after(
                    Math.max(heldUntilMillis - events.nowMillis(), random.nextInt(2)),
                    "",
                    () -> network.at(process, this::run));
        }
    }

    private void run() {
        scheduled = false;
        for (int left = waiting.size(); left > 0 && !ended; left--) {
            waiting.remove().run();
        }
        if (!waiting.isEmpty()) {
            schedule();
        }
    }

    /** Runs nothing more until then, as a thread that is not scheduled. */
    void hold(long untilMillis) {
        heldUntilMillis = untilMillis;
    }

    /** The process is gone with everything that waited. */
    void end() {
        ended = true;
        waiting.clear();
    }
}
