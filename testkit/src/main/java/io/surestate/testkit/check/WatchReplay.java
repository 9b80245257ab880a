package io.surestate.testkit.check;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.Hold;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.WatchEvent;
import io.surestate.api.v1.WatchResponse;
import io.surestate.statemachine.state.ClusterState;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * What somebody knows who follows a watch of everything over any number of streams: it must have every revision whole, once, in order, and
 * in the end know what the servers know. Every check answers with what is wrong. One thread.
 */
public final class WatchReplay {
    private final AppliedHistory history;
    private final TreeMap<String, Job> jobs = new TreeMap<>();
    private final TreeMap<String, Task> tasks = new TreeMap<>();
    private final TreeMap<String, Node> nodes = new TreeMap<>();
    private final TreeMap<String, Allocation> allocations = new TreeMap<>();
    private final TreeMap<String, Hold> holds = new TreeMap<>();
    private long revision;
    private long events;
    private boolean listing;

    /** @param history what the servers applied */
    public WatchReplay(AppliedHistory history) {
        this.history = history;
    }

    /** Everything up to here is known. */
    public long revision() {
        return revision;
    }

    /** A new stream goes on after the newest whole revision. */
    public void resumed() {
        events = 0;
        listing = false;
    }

    /** The next message of the stream. */
    public Optional<String> add(WatchResponse message) {
        if (message.getInitial() && !listing) {
            clear();
        }
        listing = message.getInitial();
        if (!listing && message.getRevision() < revision) {
            return Optional.of("watch went back from " + revision + " to " + message.getRevision());
        }
        message.getEventsList().forEach(this::apply);
        events += message.getEventsCount();
        if (!message.getLastInRevision()) {
            return Optional.empty();
        }
        Optional<String> gap = listing ? Optional.empty() : gap(message.getRevision());
        revision = message.getRevision();
        events = 0;
        listing = false;
        return gap;
    }

    private Optional<String> gap(long to) {
        long expected = 0;
        for (long skipped = revision + 1; skipped <= to; skipped++) {
            expected += history.shown(skipped);
        }
        return expected == events
                ? Optional.empty()
                : Optional.of(
                        "watch told " + events + " events from " + revision + " to " + to + ", there were " + expected);
    }

    private void clear() {
        jobs.clear();
        tasks.clear();
        nodes.clear();
        allocations.clear();
        holds.clear();
        events = 0;
    }

    private void apply(WatchEvent event) {
        switch (event.getChangeCase()) {
            case JOB -> jobs.put(event.getJob().getUid(), event.getJob());
            case TASK -> tasks.put(key(event.getTask()), event.getTask());
            case NODE -> nodes.put(event.getNode().getName(), event.getNode());
            case ALLOCATION -> allocations.put(event.getAllocation().getId(), event.getAllocation());
            case HOLD -> holds.put(event.getHold().getId(), event.getHold());
            case JOB_REMOVED -> {
                String uid = event.getJobRemoved();
                jobs.remove(uid);
                tasks.subMap(uid + "/", uid + "0").clear();
            }
            case NODE_REMOVED -> nodes.remove(event.getNodeRemoved());
            case ALLOCATION_RELEASED ->
                allocations.remove(event.getAllocationReleased().getId());
            case JOB_EVENT, CHANGE_NOT_SET -> {
                // A line of a job's story; nothing of the present state.
            }
        }
    }

    private static String key(Task task) {
        return task.getJobUid() + "/" + task.getGroup() + "/" + task.getIndex();
    }

    /** The first thing that is otherwise in the state at the same revision. */
    public Optional<String> differs(ClusterState state) {
        return differs(
                        "job",
                        jobs,
                        state.jobs().stream().map(entry -> entry.job()).toList(),
                        Job::getUid)
                .or(() -> differs(
                        "task",
                        tasks,
                        state.jobs().stream()
                                .flatMap(entry -> entry.tasks().stream())
                                .toList(),
                        WatchReplay::key))
                .or(() -> differs(
                        "node",
                        nodes,
                        state.nodes().stream().map(entry -> entry.node()).toList(),
                        Node::getName))
                .or(() -> differs(
                        "allocation",
                        allocations,
                        state.nodes().stream()
                                .flatMap(entry -> entry.allocations().stream())
                                .toList(),
                        Allocation::getId))
                .or(() -> differs("hold", holds, state.holds(), Hold::getId));
    }

    private <T> Optional<String> differs(
            String what, Map<String, T> known, Collection<T> there, Function<T, String> key) {
        TreeMap<String, T> expected = new TreeMap<>();
        there.forEach(each -> expected.put(key.apply(each), each));
        if (known.equals(expected)) {
            return Optional.empty();
        }
        TreeMap<String, T> wrong = new TreeMap<>(known);
        wrong.entrySet().removeIf(entry -> entry.getValue().equals(expected.get(entry.getKey())));
        expected.entrySet().removeIf(entry -> entry.getValue().equals(known.get(entry.getKey())));
        return Optional.of("watch at " + revision + " has " + what + " " + wrong + ", servers have " + expected);
    }
}
