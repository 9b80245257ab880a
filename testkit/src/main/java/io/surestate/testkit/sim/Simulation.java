package io.surestate.testkit.sim;

import io.surestate.api.GroupSize;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.TaskGroup;
import io.surestate.log.v1.Outcome;
import io.surestate.server.commit.CommandOutcome;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * One run of a whole cluster under faults: servers, agents, a client. While things go wrong every invariant is checked after
 * every event; then everything heals and must come to an end. The same settings give the same run, event by event. One thread.
 */
public final class Simulation {
    private static final int TAIL_SHOWN = 60;
    private static final long CHECK_MILLIS = 500;
    private static final int CANCELLED_ONE_IN = 8;
    private static final int FORCED_ONE_IN = 3;

    private final SimSettings settings;
    private final SimWorld world;
    private final Faults faults;

    /**
     * What a run was like.
     *
     * @param traceHash equal for equal runs
     * @param events that happened
     * @param revisions that were committed
     * @param jobs that were submitted
     * @param starts of tasks that were looked at
     * @param counted how often each kind of thing happened: crash, elected, install, keeper-kill, ...
     */
    public record Report(
            long traceHash, long events, long revisions, int jobs, long starts, Map<String, Integer> counted) {
        public Report {
            counted = Map.copyOf(counted);
        }
    }

    private Simulation(SimSettings settings, Path folder) {
        this.settings = settings;
        this.world = new SimWorld(settings, folder);
        this.faults = world.faults();
    }

    /**
     * Runs it to its end.
     *
     * @param folder for snapshots, empty
     * @throws SimulationFailure with the seed, what is wrong, and the last events
     */
    public static Report run(SimSettings settings, Path folder) {
        Simulation simulation = new Simulation(settings, folder);
        try {
            return simulation.run();
        } catch (AssertionError | RuntimeException wrong) {
            throw new SimulationFailure(
                    simulation.describe(wrong), simulation.world.events().tail(), wrong);
        }
    }

    private String describe(Throwable wrong) {
        List<String> tail = world.events().tail();
        List<String> shown = tail.subList(Math.max(0, tail.size() - TAIL_SHOWN), tail.size());
        return "seed " + settings.seed() + " at " + world.events().nowMillis() + " ms: " + wrong.getMessage()
                + "\n  settings: " + settings + "\n  servers: "
                + world.servers().stream().map(SimServer::describe).toList() + "\n  nodes: "
                + world.machines().stream().map(SimNode::describe).toList() + "\n  last events:\n    "
                + String.join("\n    ", shown);
    }

    private Report run() {
        for (SimServer server : world.servers()) {
            server.start();
        }
        world.nodes().forEach(SimNode::powerOn);
        world.tasks().begin();
        submitJobs();
        world.watchers().forEach(SimWatcher::begin);
        world.schedulers().forEach(SimScheduler::begin);
        if (settings.schedulers() > 0) {
            world.operator().begin();
        }
        faults.begin();
        while (world.events().step(settings.faultMillis())) {
            world.invariants().verify();
        }
        faults.end();
        converge();
        world.invariants().checkEnds();
        return new Report(
                world.events().hash(),
                world.events().happened(),
                world.oracle().committedIndex(),
                settings.jobs(),
                world.tasks().starts(),
                world.events().counted());
    }

    private void submitJobs() {
        Random random = world.random();
        for (int i = 0; i < settings.jobs(); i++) {
            Job plain = SimJobs.random(i, random, !settings.copies(), settings.schedulers() > 0);
            Job job = settings.elastic() ? SimJobs.elastic(plain, random) : plain;
            if (settings.elastic()) {
                world.events().after(random.nextInt((int) settings.faultMillis()), "", this::resizeOne);
            }
            world.events().after(random.nextInt((int) settings.faultMillis()), "", () -> {
                world.events().note("submit " + job.getName());
                world.client().submit(job);
            });
            if (random.nextInt(CANCELLED_ONE_IN) == 0) {
                world.events().after(random.nextInt((int) settings.faultMillis()), "", this::cancelOne);
            }
        }
    }

    private void resizeOne() {
        List<Job> elastic = knownJobs().stream()
                .filter(job -> GroupSize.elastic(job.getSpec().getGroups(0)))
                .toList();
        if (!elastic.isEmpty()) {
            Job job = world.pick(elastic);
            TaskGroup group = job.getSpec().getGroups(0);
            int count = GroupSize.min(group) + world.random().nextInt(group.getCount() - GroupSize.min(group) + 1);
            world.events().note("resize " + job.getUid());
            world.client().resize(job.getUid(), count);
        }
    }

    private List<Job> knownJobs() {
        return world.client().requests().stream()
                .flatMap(request -> request.answer().map(CommandOutcome::outcome).stream())
                .filter(Outcome::hasJob)
                .map(Outcome::getJob)
                .toList();
    }

    private void cancelOne() {
        Random random = world.random();
        List<Job> jobs = knownJobs();
        if (!jobs.isEmpty()) {
            String uid = world.pick(jobs).getUid();
            boolean force = random.nextInt(FORCED_ONE_IN) == 0;
            world.events().note((force ? "force-cancel " : "cancel ") + uid);
            world.client().cancel(uid, force);
        }
    }

    private void converge() {
        long until = settings.faultMillis() + settings.healMillis();
        Optional<String> unfinished = Optional.of("not looked yet");
        while (unfinished.isPresent()) {
            long next = world.events().nowMillis() + CHECK_MILLIS;
            if (next > until) {
                throw new AssertionError(
                        "not over " + settings.healMillis() + " ms after the last fault: " + unfinished.get());
            }
            while (world.events().step(next)) {
                world.invariants().verify();
            }
            unfinished = world.invariants().unfinished();
        }
    }
}
