package io.surestate.statemachine.state;

import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.Task;
import java.util.Optional;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/** All live jobs with the indexes that decisions need. Immutable. */
record JobTable(
        TreePMap<String, JobEntry> byUid,
        TreePMap<String, String> uidByName,
        TreePSet<PendingJob> pending,
        TreePSet<PendingJob> growing,
        int running,
        int stopping,
        int nominated,
        int tasks) {
    static final JobTable EMPTY =
            new JobTable(TreePMap.empty(), TreePMap.empty(), TreePSet.empty(), TreePSet.empty(), 0, 0, 0, 0);

    Optional<JobEntry> job(String uid) {
        return Optional.ofNullable(byUid.get(uid));
    }

    Optional<JobEntry> named(String tenant, String name) {
        return Optional.ofNullable(uidByName.get(nameKey(tenant, name))).flatMap(this::job);
    }

    JobTable with(Job job) {
        return job(job.getUid())
                .map(before -> without(before).with(before.with(job)))
                .orElseGet(() -> with(JobEntry.of(job)));
    }

    JobTable with(Task task) {
        JobEntry before = job(task.getJobUid()).orElseThrow();
        JobEntry entry = before.with(task);
        TreePSet<PendingJob> more = before.wantsMore() == entry.wantsMore()
                ? growing
                : entry.wantsMore()
                        ? growing.plus(PendingJob.of(entry.job()))
                        : growing.minus(PendingJob.of(entry.job()));
        return new JobTable(
                byUid.plus(task.getJobUid(), entry), uidByName, pending, more, running, stopping, nominated, tasks);
    }

    JobTable with(JobEntry entry) {
        Job job = entry.job();
        JobPhase phase = job.getStatus().getPhase();
        Invariants.check(!Phases.finished(phase), "job %s in live state is %s", job.getUid(), phase);
        return new JobTable(
                byUid.plus(job.getUid(), entry),
                uidByName.plus(nameKey(job.getTenant(), job.getName()), job.getUid()),
                phase == JobPhase.JOB_PHASE_PENDING ? pending.plus(PendingJob.of(job)) : pending,
                entry.wantsMore() ? growing.plus(PendingJob.of(job)) : growing,
                running + (phase == JobPhase.JOB_PHASE_RUNNING ? 1 : 0),
                stopping + (Phases.stopping(phase) ? 1 : 0),
                nominated + (phase == JobPhase.JOB_PHASE_NOMINATED ? 1 : 0),
                tasks + entry.tasks().size());
    }

    JobTable without(JobEntry entry) {
        Job job = entry.job();
        JobPhase phase = job.getStatus().getPhase();
        return new JobTable(
                byUid.minus(job.getUid()),
                uidByName.minus(nameKey(job.getTenant(), job.getName())),
                phase == JobPhase.JOB_PHASE_PENDING ? pending.minus(PendingJob.of(job)) : pending,
                entry.wantsMore() ? growing.minus(PendingJob.of(job)) : growing,
                running - (phase == JobPhase.JOB_PHASE_RUNNING ? 1 : 0),
                stopping - (Phases.stopping(phase) ? 1 : 0),
                nominated - (phase == JobPhase.JOB_PHASE_NOMINATED ? 1 : 0),
                tasks - entry.tasks().size());
    }

    /** Neither part may hold a slash. */
    private static String nameKey(String tenant, String name) {
        return tenant + "/" + name;
    }
}
