package io.surestate.cli.quickstart;

import io.surestate.api.v1.ClusterGrpc;
import io.surestate.api.v1.GetStatusRequest;
import io.surestate.api.v1.GetStatusResponse;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.api.v1.SubmitJobRequest;
import io.surestate.cli.CliContext;
import io.surestate.cli.CliException;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.job.JobEvents;
import io.surestate.cli.local.Child;
import io.surestate.cli.local.LocalCluster;
import io.surestate.cli.local.ServerPlace;
import io.surestate.cli.local.Until;
import io.surestate.cli.node.NodeLists;
import io.surestate.cli.node.TopologyTree;
import io.surestate.client.Endpoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What the quickstart shows, step by step; a step that does not come about as told ends it. One thread. */
final class Story {
    private static final Duration START_MAX = Duration.ofSeconds(40);
    private static final Duration STEP_MAX = Duration.ofSeconds(30);
    private static final Duration ANSWER_MAX = Duration.ofSeconds(2);
    private static final int NODES = 2;

    private final CliContext context;
    private final Connection connection;
    private final LocalCluster cluster;
    private final LocalCluster.Plan plan;
    private final Narrator narrator;
    private final List<String> killed = new ArrayList<>();
    private final Until until;

    Story(CliContext context, Connection connection, LocalCluster cluster, LocalCluster.Plan plan, Narrator narrator) {
        this.context = context;
        this.connection = connection;
        this.cluster = cluster;
        this.plan = plan;
        this.narrator = narrator;
        this.until = new Until(context, this::checkAlive);
    }

    void run() {
        narrator.tell("starting three servers and two agents on this machine");
        cluster.start();
        List<Endpoint> all = plan.servers().stream().map(ServerPlace::endpoint).toList();
        try (Session session = connection.open(all, ANSWER_MAX)) {
            showTopology(session);
            Gang gang = submit(session);
            gang.awaitCheckpoint(0);
            killLeader(session, gang);
            killNode(gang);
            cluster.startServer(killed.get(0));
            killed.remove(0);
            finish(gang);
            showHistory(session, gang);
            compareDigests(session);
        }
    }

    private void showTopology(Session session) {
        GetStatusResponse status = until.found(
                "a leader and two ready nodes",
                START_MAX,
                () -> status(session).filter(seen -> seen.getNodesReady() == NODES));
        narrator.tell("ready: " + status.getLeaderId() + " leads, both nodes share out this machine");
        narrator.detail(TopologyTree.of(NodeLists.all(session)).show());
    }

    private Gang submit(Session session) {
        Job asked = JobFile.write(plan.folder().resolve("job"));
        SubmitJobRequest request = SubmitJobRequest.newBuilder()
                .setHeader(session.header(""))
                .setJob(asked)
                .build();
        Job job = session.call(JobsGrpc.getSubmitJobMethod(), request).getJob();
        narrator.tell("submitted " + job.getName() + ", a gang of four ("
                + plan.folder().resolve("job").resolve(JobFile.NAME) + ")");
        Gang gang = new Gang(session, job.getUid(), until, narrator);
        gang.awaitRunning(1);
        narrator.tell("running: all four on " + gang.node());
        return gang;
    }

    private void killLeader(Session session, Gang gang) {
        String leader = until.found(
                        "the leader",
                        STEP_MAX,
                        () -> status(session).filter(seen -> !seen.getLeaderId().isEmpty()))
                .getLeaderId();
        killed.add(leader);
        cluster.child(leader).kill();
        long dead = context.time().millis();
        narrator.tell("kill -9 " + leader + ", the leader");
        GetStatusResponse after = until.found(
                "a new leader",
                STEP_MAX,
                () -> status(session)
                        .filter(seen -> !seen.getLeaderId().isEmpty()
                                && !seen.getLeaderId().equals(leader)));
        String seconds = String.format(Locale.ROOT, "%.1f", (context.time().millis() - dead) / 1000.0);
        narrator.tell(after.getLeaderId() + " leads, " + seconds + " s later; the job never stopped");
        gang.expectAttempt(1);
    }

    private void killNode(Gang gang) {
        gang.awaitCheckpoint(gang.checkpoint());
        String node = gang.node();
        killed.add(node);
        cluster.killNode(node);
        long step = gang.checkpoint();
        narrator.tell("kill -9 " + node + ": agent, keeper and all four tasks; committed checkpoint: " + step);
        gang.awaitRunning(2);
        if (gang.node().equals(node)) {
            throw CliException.refused("NOT_AS_TOLD: the gang runs on " + node + ", which is dead");
        }
        long resumed = gang.firstCount();
        narrator.tell("running again on " + gang.node() + ": attempt 2, all four resumed at " + resumed);
        if (resumed != gang.lastOfFirstAttempt()) {
            throw CliException.refused("NOT_AS_TOLD: resumed at " + resumed + " (expected: the committed checkpoint "
                    + gang.lastOfFirstAttempt() + ")");
        }
    }

    private void finish(Gang gang) {
        JobPhase phase = gang.awaitEnd();
        if (phase != JobPhase.JOB_PHASE_SUCCEEDED) {
            throw CliException.refused("NOT_AS_TOLD: the job ended as " + phase + " (expected: SUCCEEDED)");
        }
        narrator.tell("SUCCEEDED");
    }

    private void showHistory(Session session, Gang gang) {
        narrator.tell("its history, from the ledger:");
        narrator.detail(JobEvents.table(JobEvents.events(session, gang.uid())));
    }

    private void compareDigests(Session session) {
        status(session);
        List<Digests.Line> lines = new Digests(connection, plan.servers(), until).atCommonRevision();
        narrator.tell("state digests of the three servers at revision "
                + lines.get(0).revision() + ", the restarted one included:");
        lines.forEach(line -> narrator.detail(line.server() + "  " + line.digest()));
        if (lines.stream().map(Digests.Line::digest).distinct().count() != 1) {
            throw CliException.refused("NOT_AS_TOLD: the digests differ (expected: equal)");
        }
        narrator.tell("equal");
    }

    private static Optional<GetStatusResponse> status(Session session) {
        return Optional.of(session.call(ClusterGrpc.getGetStatusMethod(), GetStatusRequest.getDefaultInstance()));
    }

    private void checkAlive() {
        Optional<Child> fallen = cluster.fallen(killed);
        if (fallen.isPresent()) {
            throw CliException.refused("NOT_AS_TOLD: " + fallen.get().name() + " ended by itself; it said last:\n"
                    + fallen.get().lastWords());
        }
    }
}
