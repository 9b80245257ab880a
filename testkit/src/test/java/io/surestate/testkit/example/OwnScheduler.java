package io.surestate.testkit.example;

import io.surestate.api.v1.CommitPlanRequest;
import io.surestate.api.v1.CommitPlanResponse;
import io.surestate.api.v1.GangPlacement;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.LedgerGrpc;
import io.surestate.api.v1.Placement;
import io.surestate.api.v1.Plan;
import io.surestate.api.v1.PlanConflict;
import io.surestate.api.v1.TaskGroup;
import io.surestate.client.ClusterClient;
import io.surestate.client.ClusterPicture;
import io.surestate.client.ClusterView;
import io.surestate.client.SurestateException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Places the jobs that name the scheduler {@code mine}, each gang whole, on as few nodes as it can. One thread. */
public final class OwnScheduler {
    public static final String NAME = "mine";
    private static final Duration CALL_MAX = Duration.ofSeconds(10);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(2);
    private static final int TRIES_MAX = 10;

    private final ClusterClient client;
    private final ClusterView view;

    public OwnScheduler(ClusterClient client, ClusterView view) {
        this.client = client;
        this.view = view;
    }

    /** Looks at what waits whenever the cluster has changed, until the thread is interrupted. */
    public void run() throws InterruptedException {
        long seen = 0;
        while (true) {
            Optional<ClusterPicture> newer = view.awaitRevision(seen + 1, LOOK_EVERY);
            seen = newer.map(ClusterPicture::revision).orElse(seen);
            for (Job job : newer.orElse(view.picture()).jobs()) {
                if (waits(job)) {
                    place(job.getUid());
                }
            }
        }
    }

    private static boolean waits(Job job) {
        return job.getSpec().getScheduler().equals(NAME) && job.getStatus().getPhase() == JobPhase.JOB_PHASE_PENDING;
    }

    /** Commits a plan for the job. Others commit too: a plan that met a conflict took nothing, so look again and decide again. */
    private void place(String jobUid) throws InterruptedException {
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            ClusterPicture now = view.picture();
            Optional<Plan> plan = now.job(jobUid)
                    .filter(OwnScheduler::waits)
                    .flatMap(job -> plan(now, gang(job), job.getSpec().getGroupsList()));
            if (plan.isEmpty()) {
                return; // It does not fit now, or does not wait any more.
            }
            Optional<CommitPlanResponse> answered = commit(plan.get());
            if (answered.isEmpty()) {
                return; // The next picture shows whether the job still waits.
            }
            CommitPlanResponse answer = answered.get();
            view.awaitRevision(
                    answer.getCommitted() ? answer.getRevision() : newest(answer.getConflictsList()), CALL_MAX);
            if (answer.getCommitted()) {
                return;
            }
        }
    }

    /** Empty = no answer. The client has repeated the call for as long as it may; an outage must not end the scheduler. */
    private Optional<CommitPlanResponse> commit(Plan plan) {
        CommitPlanRequest request = CommitPlanRequest.newBuilder().setPlan(plan).build();
        try {
            return Optional.of(client.call(LedgerGrpc.getCommitPlanMethod(), request, CALL_MAX));
        } catch (SurestateException failed) {
            System.err.println("plan not committed: " + failed.getMessage());
            return Optional.empty();
        }
    }

    /** What stood in the way is as it is since then: a view of that revision shows it. */
    private static long newest(List<PlanConflict> conflicts) {
        return conflicts.stream()
                .mapToLong(PlanConflict::getSinceRevision)
                .max()
                .orElse(0);
    }

    private static GangPlacement.Builder gang(Job job) {
        return GangPlacement.newBuilder()
                .setJobUid(job.getUid())
                .setGeneration(job.getGeneration())
                .setAttempt(job.getStatus().getAttempt());
    }

    /** All tasks of the gang, each on the first node that has room for it; empty = they do not all fit. */
    static Optional<Plan> plan(ClusterPicture now, GangPlacement.Builder gang, List<TaskGroup> groups) {
        List<FreeNode> nodes = FreeNode.all(now);
        for (TaskGroup group : groups) {
            for (int index = 0; index < group.getCount(); index++) {
                Optional<Placement.Builder> place = nodes.stream()
                        .flatMap(node -> node.take(group.getResources()).stream())
                        .findFirst();
                if (place.isEmpty()) {
                    return Optional.empty();
                }
                boolean task = !gang.getJobUid().isEmpty();
                gang.addPlacements(task ? place.get().setGroup(group.getName()).setIndex(index) : place.get());
            }
        }
        return Optional.of(Plan.newBuilder()
                .setScheduler(NAME)
                .setSeenRevision(now.revision())
                .addGangs(gang)
                .build());
    }
}
