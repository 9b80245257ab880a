package io.surestate.testkit.check;

import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.log.v1.Envelope;
import io.surestate.log.v1.Outcome;
import io.surestate.statemachine.AppliedEntry;
import io.surestate.statemachine.state.Change;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * What all servers together applied, each revision once: whoever applies a revision must come to the same, and over the revisions some
 * things never happen. Every check answers with what is wrong. One thread.
 */
public final class AppliedHistory {
    private final Map<Long, AppliedEntry> entries = new HashMap<>();
    private final Map<Long, String> digests = new HashMap<>();
    private final Map<Long, Set<String>> agreed = new HashMap<>();
    private final TreeMap<String, Job> submitted = new TreeMap<>();
    private final Map<String, String> uidOfName = new HashMap<>();
    private final Map<String, Long> steps = new HashMap<>();
    private final Set<String> cancelled = new HashSet<>();
    private final Map<String, Long> neverAfter = new HashMap<>();
    private long newest;
    private long clusterMillis;

    /** A server applied an entry. */
    public Optional<String> add(String server, AppliedEntry entry) {
        if (entry.revision() <= newest) {
            return same("server " + server, entry);
        }
        if (entry.revision() != newest + 1) {
            return Optional.of("revision " + entry.revision() + " follows " + newest);
        }
        if (entry.timeMillis() < clusterMillis) {
            return Optional.of("cluster time went back from " + clusterMillis + " to " + entry.timeMillis());
        }
        newest = entry.revision();
        clusterMillis = entry.timeMillis();
        entries.put(newest, entry);
        for (Change change : entry.changes()) {
            Optional<String> problem = learn(change);
            if (problem.isPresent()) {
                return problem;
            }
        }
        return Optional.empty();
    }

    /** Whoever shows a revision must show what was applied there. */
    public Optional<String> same(String where, AppliedEntry entry) {
        return entry.equals(entries.get(entry.revision()))
                ? Optional.empty()
                : Optional.of("revision " + entry.revision() + " at " + where + " is " + entry + ", elsewhere "
                        + entries.get(entry.revision()));
    }

    private Optional<String> learn(Change change) {
        if (change instanceof Change.JobPut put) {
            return learn(put.job());
        }
        return change instanceof Change.JobFinished finished ? learn(finished.job()) : Optional.empty();
    }

    private Optional<String> learn(Job job) {
        String uid = job.getUid();
        boolean isNew = submitted.putIfAbsent(uid, job) == null;
        Long refused = neverAfter.get(job.getName());
        if (isNew && refused != null && refused < newest) {
            return Optional.of("job " + job.getName() + " took effect at " + newest + ", after its request was answered"
                    + " as expired or sealed at " + refused);
        }
        if (job.getStatus().getPhase() == JobPhase.JOB_PHASE_CANCELLING
                || job.getStatus().getPhase() == JobPhase.JOB_PHASE_CANCELLED) {
            cancelled.add(uid);
        }
        String first = uidOfName.putIfAbsent(job.getName(), uid);
        if (first != null && !first.equals(uid)) {
            return Optional.of("job " + job.getName() + " was submitted once and exists as " + first + " and " + uid);
        }
        long step = job.getStatus().getCheckpoint().getStep();
        long before = steps.getOrDefault(uid, 0L);
        steps.put(uid, Math.max(step, before));
        return step >= before
                ? Optional.empty()
                : Optional.of("checkpoint of job " + uid + " went back from " + before + " to " + step);
    }

    /** A server's digest at a revision. */
    public Optional<String> digest(String server, long revision, String digest) {
        String first = digests.putIfAbsent(revision, digest);
        agreed.computeIfAbsent(revision, any -> new HashSet<>()).add(server);
        return first == null || first.equals(digest)
                ? Optional.empty()
                : Optional.of("digest of " + server + " at " + revision + " is " + digest + ", elsewhere " + first);
    }

    /** Whether that many servers showed their digest at a revision; empty = so they did. Unequal ones were found before. */
    public Optional<String> unequalDigests(long revision, int servers) {
        Set<String> shown = agreed.getOrDefault(revision, Set.of());
        return shown.size() == servers
                ? Optional.empty()
                : Optional.of("digests at " + revision + " are known of " + shown + " only");
    }

    /** A client was told that its command took effect, or was refused, at this revision. */
    public Optional<String> acknowledged(Envelope command, long revision, Outcome outcome) {
        if (revision > newest) {
            return Optional.of("acknowledged at " + revision + " before it was applied");
        }
        if (command.hasSubmitJob() && acknowledged(outcome)) {
            return Optional.empty();
        }
        if (command.hasSubmitJob() && (expired(outcome) || sealed(outcome))) {
            neverAfter.merge(command.getSubmitJob().getJob().getName(), revision, Math::min);
        } else if (command.hasSubmitJob()) {
            return outcome.hasJob() && submitted.containsKey(outcome.getJob().getUid())
                    ? Optional.empty()
                    : Optional.of("job " + command.getSubmitJob().getJob().getName() + " was answered " + outcome);
        }
        return Optional.empty();
    }

    /** Whether a request was refused because its time was over. */
    public static boolean expired(Outcome outcome) {
        return refused(outcome, ErrorCode.ERROR_CODE_REQUEST_EXPIRED);
    }

    /** Whether a request was refused because it was sealed. */
    public static boolean sealed(Outcome outcome) {
        return refused(outcome, ErrorCode.ERROR_CODE_REQUEST_SEALED);
    }

    /** Whether a request was refused because its outcome was acknowledged. */
    public static boolean acknowledged(Outcome outcome) {
        return refused(outcome, ErrorCode.ERROR_CODE_REQUEST_ACKNOWLEDGED);
    }

    private static boolean refused(Outcome outcome, ErrorCode code) {
        return outcome.hasRejected() && outcome.getRejected().getCode() == code;
    }

    /** How many events a watcher of everything sees of a revision. */
    public long shown(long revision) {
        AppliedEntry entry = entries.get(revision);
        return entry == null
                ? 0
                : entry.changes().stream().mapToLong(AppliedHistory::shown).sum();
    }

    private static long shown(Change change) {
        if (change instanceof Change.JobFinished finished) {
            return 2L + finished.tasks().size();
        }
        boolean told = change instanceof Change.JobPut
                || change instanceof Change.JobEventAppended
                || change instanceof Change.TaskPut
                || change instanceof Change.NodePut
                || change instanceof Change.AllocationPut
                || change instanceof Change.AllocationRemoved
                || change instanceof Change.HoldPut;
        return told ? 1 : 0;
    }

    /** The newest revision that any server applied. */
    public long newest() {
        return newest;
    }

    /** Cluster time there; 0 = none yet. */
    public long clusterMillis() {
        return clusterMillis;
    }

    /** The newest committed checkpoint of a job. */
    public long step(String uid) {
        return steps.getOrDefault(uid, 0L);
    }

    /** Every job that was ever made, by uid, as it was first. */
    public Map<String, Job> submitted() {
        return Collections.unmodifiableMap(submitted);
    }

    /** Whether a cancel of it was accepted. */
    public boolean cancelled(String uid) {
        return cancelled.contains(uid);
    }
}
