package io.surestate.testkit.sim;

import io.surestate.api.v1.HoldState;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.StateDigest;
import io.surestate.log.v1.Envelope;
import io.surestate.server.ServerCore;
import io.surestate.server.commit.CommandOutcome;
import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.StateView;
import io.surestate.statemachine.state.Change;
import io.surestate.statemachine.state.ClusterState;
import io.surestate.statemachine.state.Conservation;
import io.surestate.testkit.check.AppliedHistory;
import io.surestate.testkit.check.EntryRules;
import io.surestate.testkit.check.HoldRules;
import io.surestate.testkit.check.LedgerRules;
import io.surestate.testkit.check.RequestRules;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What must hold after every event, whatever goes wrong. The first thing that does not is kept, because exceptions thrown inside futures
 * would be lost; {@link #verify} throws it. One thread.
 */
final class SimInvariants {
    /** By which cluster time may be ahead at most: clocks that run fast, and the time that the first entry took. */
    private static final long AHEAD_MILLIS_MAX = 60_000;

    private static final int WATCH_BATCH = 1_000;
    private static final int STATES_KEPT = 16;
    private static final long QUIET_MILLIS = 10_000;

    private final SimWorld world;
    private final AppliedHistory history = new AppliedHistory();
    private final EntryRules rules = new EntryRules();
    private final RequestRules requests = new RequestRules();
    private final LedgerRules ledger = new LedgerRules();
    private final HoldRules holds = new HoldRules();
    private final TreeMap<Long, ClusterState> recent = new TreeMap<>();
    private final Map<String, Long> revisions = new TreeMap<>();
    private final Map<String, Long> watched = new TreeMap<>();
    private final Map<String, Long> digested = new TreeMap<>();
    private Optional<AssertionError> first = Optional.empty();
    private long conserved;
    private long firstClusterMillis;
    private long firstTrueMillis;

    SimInvariants(SimWorld world) {
        this.world = world;
    }

    AppliedHistory history() {
        return history;
    }

    void broken(String what, Throwable cause) {
        if (first.isEmpty()) {
            first = Optional.of(new AssertionError(what, cause));
        }
    }

    void expect(boolean holds, String what) {
        if (!holds && first.isEmpty()) {
            first = Optional.of(new AssertionError(what));
        }
    }

    private void expectNone(Optional<String> problem) {
        problem.ifPresent(what -> expect(false, what));
    }

    /** Throws the first thing that went wrong. */
    void verify() {
        first.ifPresent(error -> {
            throw error;
        });
    }

    /** A server's state was opened anew: it may have gone back. */
    void restored(String server, StateView view) {
        world.events().note("restored " + server + " at " + view.revision());
        revisions.put(server, view.revision());
        watched.put(server, view.revision());
        digested.put(server, Math.max(0, view.revision() - 1));
    }

    void applied(String server, List<AppliedEntry> entries) {
        for (AppliedEntry entry : entries) {
            long before = revisions.getOrDefault(server, 0L);
            expect(
                    entry.revision() == before + 1,
                    "server " + server + " applied " + entry.revision() + " after " + before);
            revisions.put(server, Math.max(before, entry.revision()));
            boolean isNew = entry.revision() > history.newest();
            expectNone(history.add(server, entry));
            if (isNew) {
                news(entry);
            }
        }
        world.events()
                .note("applied " + server + " to "
                        + entries.get(entries.size() - 1).revision());
    }

    /** Each revision once, when the first server applies it. */
    private void news(AppliedEntry entry) {
        expectNone(rules.add(world.oracle().entry(entry.revision()), entry));
        expectNone(requests.add(world.oracle().entry(entry.revision()), entry));
        expectNone(ledger.add(world.oracle().entry(entry.revision()), entry));
        expectNone(holds.add(entry, world.faults().quietMillis() > QUIET_MILLIS));
        noteRareThings(entry);
        world.tasks().applied(entry);
        if (firstClusterMillis == 0) {
            firstClusterMillis = entry.timeMillis();
            firstTrueMillis = world.events().nowMillis();
        }
        long passed = entry.timeMillis() - firstClusterMillis;
        expect(
                passed <= world.events().nowMillis() - firstTrueMillis + AHEAD_MILLIS_MAX,
                "cluster time moved " + passed + " ms since the start");
    }

    private void noteRareThings(AppliedEntry entry) {
        for (Change change : entry.changes()) {
            if (change instanceof Change.HoldPut put && put.hold().getState() == HoldState.HOLD_STATE_EXPIRED) {
                world.events().note("hold-expired " + put.hold().getId());
            }
            if (change instanceof Change.JobEventAppended line) {
                switch (line.event().getKind()) {
                    case JOB_EVENT_KIND_GREW -> world.events().count("gang-grew");
                    case JOB_EVENT_KIND_LEFT -> world.events().count("task-left");
                    case JOB_EVENT_KIND_SWAPPED -> world.events().count("task-swapped");
                    case JOB_EVENT_KIND_MOVED -> world.events().count("gang-moved");
                    default -> {
                        // Seen often enough.
                    }
                }
            }
        }
    }

    /** The state at a revision, if some server showed it of late. */
    Optional<ClusterState> recent(long revision) {
        return Optional.ofNullable(recent.get(revision));
    }

    /** After the new view was published. */
    void drained(String server, ServerCore core) {
        StateView view = core.applyLoop().views().newest();
        expect(view.revision() == revisions.getOrDefault(server, 0L), "view of " + server + " at " + view.revision());
        // Equal digests make the same state of the same revision on the others.
        if (view.revision() > conserved) {
            conserved = view.revision();
            recent.put(conserved, view.state());
            if (recent.size() > STATES_KEPT) {
                recent.pollFirstEntry();
            }
            List<String> problems = Conservation.problems(view.state());
            expect(problems.isEmpty(), "conservation at " + view.revision() + " on " + server + ": " + problems);
        }
        checkDigests(server, core, view.revision());
        checkWatch(server, core);
    }

    /** Of every revision since the last look. */
    private void checkDigests(String server, ServerCore core, long newest) {
        long from = digested.getOrDefault(server, 0L) + 1;
        var unused = core.applyLoop().withEngine(engine -> {
            for (long revision = from; revision <= newest; revision++) {
                Optional<String> digest = engine.digest(revision).map(StateDigest::getDigest);
                expect(digest.isPresent(), "digest of " + server + " at " + revision + " is absent");
                long at = revision;
                digest.ifPresent(value -> expectNone(history.digest(server, at, value)));
            }
            return true;
        });
        digested.put(server, newest);
    }

    /** A watcher that goes on from where it was gets every revision once, in order. */
    private void checkWatch(String server, ServerCore core) {
        long from = watched.getOrDefault(server, 0L);
        Optional<List<AppliedEntry>> next = core.watchFeed().after(from, WATCH_BATCH);
        expect(next.isPresent(), "watch of " + server + " after " + from + " is compacted too early");
        long at = from;
        for (AppliedEntry entry : next.orElse(List.of())) {
            expect(entry.revision() == at + 1, "watch of " + server + " has " + entry.revision() + " after " + at);
            expectNone(history.same("watch of " + server, entry));
            at = entry.revision();
        }
        watched.put(server, at);
    }

    void answered(Envelope command, CommandOutcome outcome) {
        expectNone(history.acknowledged(command, outcome.revision(), outcome.outcome()));
    }

    /** The same answer, or that the time for asking is over, or that the answer is no longer kept because it arrived. */
    void answeredAgain(Envelope command, CommandOutcome one, CommandOutcome other) {
        boolean expired = AppliedHistory.expired(one.outcome()) || AppliedHistory.expired(other.outcome());
        boolean forgotten = command.getExpiresMillis() <= history.clusterMillis();
        boolean over = AppliedHistory.acknowledged(one.outcome())
                || AppliedHistory.acknowledged(other.outcome())
                || (forgotten && AppliedHistory.sealed(other.outcome()));
        answered(command, other);
        expect(
                expired || over || one.outcome().equals(other.outcome()),
                "request " + command.getRequest().getRequestId() + " was answered twice: " + one + " and " + other);
    }

    /** After everything healed: all that was asked for is answered and over, nothing is held, all servers agree. Empty = so it is. */
    Optional<String> unfinished() {
        for (SimClient client : world.clients()) {
            for (SimClient.Request request : client.requests()) {
                if (request.answer().isEmpty()) {
                    return Optional.of("not answered: " + SimClient.describe(request));
                }
            }
        }
        long committed = world.oracle().committedIndex();
        for (SimServer server : world.servers()) {
            if (server.core().isEmpty()) {
                return Optional.of("server down: " + server.id());
            }
            StateView view = server.core().get().applyLoop().views().newest();
            if (view.revision() != committed) {
                return Optional.of(server.id() + " at " + view.revision() + ", committed " + committed);
            }
            if (view.state().standingHolds() > 0) {
                return Optional.of("holds stand: " + view.state().holds());
            }
            if (!view.state().jobs().isEmpty() || view.state().counts().allocations() > 0) {
                return Optional.of("live: "
                        + view.state().jobs().stream()
                                .map(entry -> entry.job().getName() + " "
                                        + entry.job().getStatus().getPhase() + " "
                                        + entry.tasks().stream()
                                                .map(task -> task.getState() + "@" + task.getNode())
                                                .toList())
                                .toList()
                        + " and "
                        + view.state().nodes().stream()
                                .flatMap(node -> node.allocations().stream())
                                .map(held -> held.getId() + " " + held.getState() + "@" + held.getNode() + " "
                                        + held.getName())
                                .toList());
            }
        }
        for (SimWatcher watcher : world.watchers()) {
            if (watcher.revision() != committed) {
                return Optional.of("watcher at " + watcher.revision() + ", committed " + committed);
            }
        }
        return history.unequalDigests(committed, world.servers().size());
    }

    /** Every acknowledged job has ended as it must, on every server. */
    void checkEnds() {
        for (SimServer server : world.servers()) {
            StateView view = server.core().orElseThrow().applyLoop().views().newest();
            for (Map.Entry<String, Job> submitted : history.submitted().entrySet()) {
                Optional<Job> job = view.history().job(submitted.getKey());
                expect(job.isPresent(), "job " + submitted.getKey() + " is not in the history of " + server.id());
                job.ifPresent(over -> expect(
                        SimJobs.mayEnd(over, over.getStatus().getPhase()) || history.cancelled(over.getUid()),
                        "job " + over.getName() + " ended " + over.getStatus() + ", expected " + SimJobs.end(over)));
            }
        }
        StateView last =
                world.servers().get(0).core().orElseThrow().applyLoop().views().newest();
        world.watchers().forEach(watcher -> expectNone(watcher.differs(last.state())));
        for (SimNode node : world.nodes()) {
            expect(node.alive().isEmpty(), "tasks still run on " + node.name());
        }
        verify();
    }
}
