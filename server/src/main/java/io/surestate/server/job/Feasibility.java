package io.surestate.server.job;

import io.surestate.api.GroupSize;
import io.surestate.api.Names;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.TaskGroup;
import io.surestate.scheduler.PendingGang;
import io.surestate.scheduler.Schedule;
import io.surestate.scheduler.Scheduler;
import io.surestate.server.api.Refused;
import io.surestate.statemachine.StateView;
import io.surestate.statemachine.state.NodeEntry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Whether a job could run if all registered hardware were free and well. Thread-safe. Jobs that ask for the same as one that could are not
 * looked at again: hardware that went away since then only makes them wait.
 */
public final class Feasibility {
    private static final int KNOWN_MAX = 1_024;

    private final Object lock = new Object();
    /** Guarded by lock, as everything below. */
    private final Scheduler scheduler;

    private final Map<JobSpec, Boolean> feasible = new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<JobSpec, Boolean> eldest) {
            return size() > KNOWN_MAX;
        }
    };

    /** The scheduler is used for this alone. */
    public Feasibility(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Why the job can never run on what is registered; empty = it can, nothing is registered yet, or others place it. */
    Optional<Refused> refusal(StateView view, Job job) {
        if (view.state().nodes().stream().noneMatch(NodeEntry::registered)
                || !job.getSpec().getScheduler().equals(Names.SCHEDULER_DEFAULT)) {
            return Optional.empty();
        }
        JobSpec asked = needs(job.getSpec());
        Optional<String> unknown = unknownLevel(view, asked);
        if (unknown.isPresent()) {
            return Optional.of(Refused.of(ErrorCode.ERROR_CODE_UNSATISFIABLE, unknown.get()));
        }
        List<JobSpec> ways = view.state().accelerators().alternatives(asked);
        if (ways.isEmpty()) {
            return Optional.of(Refused.of(
                    ErrorCode.ERROR_CODE_UNSATISFIABLE,
                    "job: " + UnitsReason.of(view.state().meta(), asked)));
        }
        synchronized (lock) {
            if (feasible.containsKey(asked)) {
                return Optional.empty();
            }
            Schedule schedule = scheduler.place(
                    PlacementViews.empty(view), List.of(new PendingGang("job", 1, 1, ways, List.of(), true)));
            if (schedule.plan().getGangsCount() > 0) {
                feasible.put(asked, true);
                return Optional.empty();
            }
            return Optional.of(Refused.of(
                    ErrorCode.ERROR_CODE_UNSATISFIABLE,
                    "job: could not run if all registered hardware were free: "
                            + schedule.reasons().get("job")
                            + " (expected: less, or --allow-future to wait for such hardware)"));
        }
    }

    /** Levels that only prefer are meant too: a name that was misspelt must not be without effect. */
    private static Optional<String> unknownLevel(StateView view, JobSpec asked) {
        Set<String> wanted = new TreeSet<>();
        Stream.concat(
                        Stream.of(asked.getTopology()),
                        asked.getGroupsList().stream().map(TaskGroup::getTopology))
                .forEach(topology -> wanted.addAll(List.of(
                        topology.getPack(), topology.getWithin(), topology.getSpread(), topology.getSliceLevel())));
        wanted.remove("");
        if (wanted.isEmpty()) {
            return Optional.empty();
        }
        Set<String> named = new TreeSet<>();
        view.state()
                .nodes()
                .forEach(entry ->
                        entry.node().getSpec().getDomainsList().forEach(domain -> named.add(domain.getLevel())));
        return wanted.stream()
                .filter(level -> !named.contains(level))
                .findFirst()
                .map(level -> Names.message(
                        "topology",
                        level,
                        "a level that nodes name: " + (named.isEmpty() ? "none does" : String.join(", ", named))
                                + "; or --allow-future"));
    }

    /** What placement depends on, without programs and policies. */
    private static JobSpec needs(JobSpec spec) {
        JobSpec.Builder needs = JobSpec.newBuilder().setType(spec.getType()).setTopology(spec.getTopology());
        for (TaskGroup group : spec.getGroupsList()) {
            needs.addGroups(TaskGroup.newBuilder()
                    .setName(group.getName())
                    .setCount(GroupSize.min(group))
                    .setResources(group.getResources())
                    .setTopology(group.getTopology()));
        }
        return needs.build();
    }
}
