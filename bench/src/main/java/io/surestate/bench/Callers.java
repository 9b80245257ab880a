package io.surestate.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/** Callers that ask one after another, all at the same time. */
final class Callers {
    private Callers() {}

    /** Shares the numbers from 0 to the one before {@code requests} among so many callers; returns when all are answered. */
    static void run(ExecutorService threads, int callers, int requests, IntConsumer request)
            throws InterruptedException, ExecutionException {
        List<Future<?>> running = new ArrayList<>();
        for (int caller = 0; caller < callers; caller++) {
            int first = caller;
            running.add(threads.submit(() -> {
                for (int number = first; number < requests; number += callers) {
                    request.accept(number);
                }
            }));
        }
        for (Future<?> each : running) {
            each.get();
        }
    }
}
