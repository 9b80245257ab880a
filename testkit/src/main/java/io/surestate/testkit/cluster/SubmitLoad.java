package io.surestate.testkit.cluster;

import io.surestate.api.v1.Job;
import io.surestate.api.v1.SubmitJobResponse;
import io.surestate.client.SurestateException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Submits small jobs from several threads until it is closed, each with a request id of its own, and remembers what was acknowledged and
 * what is unknown.
 */
public final class SubmitLoad implements AutoCloseable {
    private final ClusterLayout layout;
    private final AtomicInteger next = new AtomicInteger();
    private final Map<String, String> acknowledged = new ConcurrentHashMap<>();
    private final Queue<String> unknown = new ConcurrentLinkedQueue<>();
    private final Queue<Throwable> unexpected = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean stopping;

    public SubmitLoad(ClusterLayout layout, int clients) {
        this.layout = layout;
        for (int i = 0; i < clients; i++) {
            Thread thread = new Thread(this::run, "submit-load-" + i);
            threads.add(thread);
            thread.start();
        }
    }

    private void run() {
        try (Api api = Api.of(layout)) {
            while (!stopping) {
                String id = "load-" + next.incrementAndGet();
                try {
                    acknowledged.put(id, api.submit(job(id), id).getJob().getUid());
                } catch (SurestateException refused) {
                    if (refused.outcomeUnknown() || refused.detail().getRetryable()) {
                        unknown.add(id);
                    } else {
                        unexpected.add(refused);
                    }
                }
            }
        }
    }

    /** The job that belongs to a request id. */
    public static Job job(String requestId) {
        return Api.shellJob(requestId, 1, "true");
    }

    /** Job uids of acknowledged submits by request id; grows while the load runs. */
    public Map<String, String> acknowledged() {
        return acknowledged;
    }

    /** Asks again for everything: every acknowledged request answers as before, every unknown one takes effect at most once. */
    public List<String> contradictions(Api api) {
        List<String> contradictions = new ArrayList<>();
        acknowledged.forEach((id, uid) -> {
            SubmitJobResponse again = api.submit(job(id), id);
            if (!again.getJob().getUid().equals(uid)) {
                contradictions.add(id + ": " + uid + ", then " + again.getJob().getUid());
            }
            if (!api.job(id).getJob().getUid().equals(uid)) {
                contradictions.add(id + ": acknowledged as " + uid + " but not found");
            }
        });
        for (String id : unknown) {
            String first = api.submit(job(id), id).getJob().getUid();
            String second = api.submit(job(id), id).getJob().getUid();
            if (!first.equals(second)) {
                contradictions.add(id + ": took effect twice, as " + first + " and " + second);
            }
        }
        unexpected.forEach(failure -> contradictions.add(failure.toString()));
        return contradictions;
    }

    @Override
    public void close() {
        stopping = true;
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }
}
