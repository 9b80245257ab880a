package io.surestate.agent.output;

import io.surestate.agent.process.TaskEntry;
import io.surestate.api.Limits;
import io.surestate.api.v1.AgentsGrpc;
import io.surestate.api.v1.ExecOrder;
import io.surestate.client.ClusterClient;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;

/** The commands that callers run within tasks of this node, a bounded number at one time. Thread-safe. */
public final class ExecSessions {
    private final ClusterClient client;
    private final TaskEntry entry;
    private final Executor threads;
    private final Semaphore places = new Semaphore(Limits.EXECS_PER_NODE_MAX);

    /** @param threads takes four pieces of work for each command at one time, some of which wait long */
    public ExecSessions(ClusterClient client, TaskEntry entry, Executor threads) {
        this.client = client;
        this.entry = entry;
        this.threads = threads;
    }

    void handle(ExecOrder order) {
        ExecSession session = new ExecSession(order, entry, threads);
        AgentsGrpc.newStub(client.channel(client.endpoints().current())).attachExec(session);
        if (!places.tryAcquire()) {
            session.refuse(
                    "commands in tasks of this node: " + Limits.EXECS_PER_NODE_MAX + " (expected: fewer at one time)");
            return;
        }
        threads.execute(() -> {
            try {
                session.run();
            } finally {
                places.release();
            }
        });
    }
}
