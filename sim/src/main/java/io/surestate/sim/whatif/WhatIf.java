package io.surestate.sim.whatif;

import io.surestate.api.Names;
import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.Task;
import io.surestate.sim.cluster.VirtualCluster;
import io.surestate.sim.whatif.JobFate.Lost;
import io.surestate.sim.whatif.JobFate.NodeTasks;
import io.surestate.statemachine.state.JobEntry;
import io.surestate.statemachine.state.NodeEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Asks a copy of a cluster what would happen, by the decisions that its servers would take. Questions build on each other: a job that is asked
 * about after nodes were taken away meets a cluster without them. Used by one thread.
 */
public final class WhatIf {
    private static final String REASON = "what if it were gone";

    private final VirtualCluster cluster;
    private final SchedulingPasses scheduling;

    /** @param cluster belongs to this from now on */
    public WhatIf(VirtualCluster cluster) {
        this.cluster = cluster;
        this.scheduling = new SchedulingPasses(cluster);
    }

    /** Why a node cannot be taken away; empty = it can. */
    public Optional<String> problem(String node) {
        Optional<NodeEntry> entry = cluster.state().node(node);
        if (entry.isEmpty()) {
            return Optional.of(Names.message("node", node, "one that the cluster has"));
        }
        return entry.get().registered()
                ? Optional.empty()
                : Optional.of(Names.message("node", node, "one with an agent; it is only planned, nothing runs on it"));
    }

    /**
     * Nodes are powered off together: their tasks are lost, the gangs stop and start again as their jobs say, where there is room. Tells of each job
     * that loses tasks, oldest first. No time passes in which something else ends.
     */
    public List<JobFate> without(List<String> nodes) {
        Map<String, List<Lost>> lost = new LinkedHashMap<>();
        for (String node : nodes) {
            for (Allocation place : cluster.state().node(node).orElseThrow().allocations()) {
                boolean runs = place.hasTask() && place.getState() == AllocationState.ALLOCATION_STATE_BOUND;
                if (runs) {
                    lost.computeIfAbsent(place.getTask().getJobUid(), absent -> new ArrayList<>())
                            .add(new Lost(place.getTask(), node));
                }
            }
        }
        Map<String, JobEntry> before = new LinkedHashMap<>();
        cluster.state().jobs().stream()
                .filter(entry -> lost.containsKey(entry.job().getUid()))
                .forEach(entry -> before.put(entry.job().getUid(), entry));
        nodes.forEach(node -> cluster.takeAway(node, REASON));
        before.keySet().forEach(cluster::stop);
        Map<String, String> reasons = scheduling.run();
        return before.values().stream()
                .map(entry -> fate(entry.job(), lost.getOrDefault(entry.job().getUid(), List.of()), reasons))
                .toList();
    }

    /**
     * A job, checked and with its defaults as servers make them, joins those that wait.
     *
     * @throws io.surestate.sim.cluster.ClusterRefusal a cluster would not take it
     */
    public JobFate submitted(Job job) {
        Job taken = cluster.submit(job);
        return fate(taken, List.of(), scheduling.run());
    }

    private JobFate fate(Job job, List<Lost> lost, Map<String, String> reasons) {
        Optional<JobEntry> now = cluster.state().job(job.getUid());
        Map<String, Integer> places = new LinkedHashMap<>();
        String reason = now.map(entry -> reason(entry, reasons)).orElse("it ends: no attempt is left");
        if (now.isPresent() && reason.isEmpty()) {
            for (Task task : now.get().tasks()) {
                if (!task.getNode().isEmpty()) {
                    places.merge(task.getNode(), 1, Integer::sum);
                }
            }
        }
        return new JobFate(
                job.getTenant(),
                job.getName(),
                job.getSpec().getGroupsList().stream()
                        .mapToInt(group -> group.getCount())
                        .sum(),
                lost,
                places.entrySet().stream()
                        .map(place -> new NodeTasks(place.getKey(), place.getValue()))
                        .toList(),
                reason);
    }

    private static String reason(JobEntry entry, Map<String, String> reasons) {
        Job job = entry.job();
        JobPhase phase = job.getStatus().getPhase();
        if (phase == JobPhase.JOB_PHASE_RUNNING) {
            return "";
        }
        if (phase != JobPhase.JOB_PHASE_PENDING) {
            return "it is " + phase.name().replace("JOB_PHASE_", "") + ": "
                    + job.getStatus().getReason();
        }
        String scheduler = job.getSpec().getScheduler();
        return scheduler.equals(Names.SCHEDULER_DEFAULT)
                ? reasons.getOrDefault(job.getUid(), "it waits after a failure")
                : "it is left to its scheduler " + scheduler;
    }
}
