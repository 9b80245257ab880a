package io.surestate.cli.simulate;

import io.surestate.api.Names;
import io.surestate.cli.CliException;
import io.surestate.scheduler.queue.Backfill;
import io.surestate.scheduler.queue.QueueOrder;
import io.surestate.sim.Progress;
import io.surestate.sim.batch.BatchReplay;
import io.surestate.sim.batch.EventOrder;
import io.surestate.sim.batch.JobLog;
import io.surestate.sim.batch.QueueOutcome;
import io.surestate.sim.batch.ReplaySetting;
import io.surestate.sim.batch.Replayed;
import io.surestate.sim.batch.Sequences;
import io.surestate.sim.batch.Workload;
import io.surestate.sim.nodes.GangOutcome;
import io.surestate.sim.nodes.NodeMachine;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** The same jobs under several policies. Used by one thread. */
final class QueueStudy {
    private static final int SHAKE_SECONDS_MAX = 59;
    private static final List<String> ORDER_DEFAULT = List.of(QueueOrder.FCFS.label());

    private final List<QueueOrder> orders;
    private final List<Backfill> backfills;
    private final EventOrder events;
    private final Workload workload;
    /** Makes the logs to replay one by one, so that there is one at a time. */
    private final List<Supplier<JobLog>> logs;

    private final long jobsToEnd;
    /** Where gangs are placed; empty = GPUs or processors are only counted. */
    private final Optional<GangRoom> room;

    private QueueStudy(
            List<QueueOrder> orders,
            List<Backfill> backfills,
            EventOrder events,
            Workload workload,
            List<Supplier<JobLog>> logs,
            long jobsToEnd,
            Optional<GangRoom> room) {
        this.orders = orders;
        this.backfills = backfills;
        this.events = events;
        this.workload = workload;
        this.logs = logs;
        this.jobsToEnd = jobsToEnd;
        this.room = room;
    }

    /** Checks everything that was asked for, then reads the trace. */
    static QueueStudy of(TraceFile trace, List<String> policies, QueueOptions options, Optional<GangRoom> room) {
        List<QueueOrder> orders = Choice.all(
                "--policy", policies.isEmpty() ? ORDER_DEFAULT : policies, QueueOrder.values(), QueueOrder::label);
        List<Backfill> backfills = Choice.all("--backfill", options.backfill(), Backfill.values(), Backfill::label);
        EventOrder events = events(options);
        List<Long> shakes = options.shakes();
        Workload workload = QueueTraces.read(trace, options, room);
        JobLog log = options.oracle() ? workload.log().withExactRequests() : workload.log();
        List<Supplier<JobLog>> logs = new ArrayList<>();
        long jobs = 0;
        for (JobLog part : options.sequences() ? sequences(log) : List.of(log)) {
            if (shakes.isEmpty()) {
                logs.add(() -> part);
            }
            shakes.forEach(seed -> logs.add(() -> part.shaken(seed, SHAKE_SECONDS_MAX)));
            jobs += (long) part.size() * Math.max(1, shakes.size());
        }
        return new QueueStudy(orders, backfills, events, workload, logs, jobs * orders.size() * backfills.size(), room);
    }

    private static EventOrder events(QueueOptions options) {
        if (options.events().isEmpty()) {
            return options.sequences() ? EventOrder.ONE_BY_ONE : EventOrder.TOGETHER;
        }
        return Choice.of("--events", options.events(), EventOrder.values(), EventOrder::label);
    }

    private static List<JobLog> sequences(JobLog log) {
        if (log.size() < Sequences.jobsNeeded()) {
            throw CliException.usage(Names.message(
                    "--sequences", log.size() + " jobs in the log", "at least " + Sequences.jobsNeeded()));
        }
        return Sequences.of(log);
    }

    /** How many ends of jobs there are to be simulated. */
    long jobsToEnd() {
        return jobsToEnd;
    }

    /** What people should know beside the figures. */
    List<String> notes() {
        List<String> notes = new ArrayList<>(workload.assumptions());
        room.ifPresent(nodes -> notes.addAll(nodes.assumptions()));
        if (workload.dropped() > 0) {
            notes.add(workload.dropped() + " jobs of the trace cannot be replayed on this machine and are left out");
        }
        if (logs.size() > 1) {
            notes.add("each figure is the mean of " + logs.size() + " replays, the longest wait the longest of all");
        }
        return notes;
    }

    /** Every order with every rule of backfill. */
    List<QueueRow> run(Progress progress) {
        List<QueueRow> rows = new ArrayList<>();
        for (QueueOrder order : orders) {
            for (Backfill backfill : backfills) {
                rows.add(row(new ReplaySetting(order, backfill, events, workload.processors()), progress));
            }
        }
        return rows;
    }

    private QueueRow row(ReplaySetting setting, Progress progress) {
        Run first = run(setting, logs.get(0).get(), progress);
        List<QueueOutcome> outcomes = new ArrayList<>(List.of(first.replayed.outcome()));
        List<GangOutcome> gangs = new ArrayList<>(first.gangs.stream().toList());
        for (Supplier<JobLog> log : logs.subList(1, logs.size())) {
            Run run = run(setting, log.get(), progress);
            outcomes.add(run.replayed.outcome());
            run.gangs.ifPresent(gangs::add);
        }
        return new QueueRow(
                setting.order(),
                setting.backfill(),
                QueueOutcome.mean(outcomes),
                workload.dropped(),
                gangs.isEmpty() ? Optional.empty() : Optional.of(GangOutcome.mean(gangs)),
                first.replayed);
    }

    private Run run(ReplaySetting setting, JobLog log, Progress progress) {
        if (room.isEmpty()) {
            return new Run(new BatchReplay(setting, log, progress).play(), Optional.empty());
        }
        NodeMachine machine = new NodeMachine(room.get().cluster(), room.get().form(), setting.predictsEnds());
        Replayed replayed = new BatchReplay(setting, machine, log, progress).play();
        return new Run(replayed, Optional.of(machine.outcome()));
    }

    @SuppressWarnings("OptionalUsedAsFieldOrParameterType")
    private record Run(Replayed replayed, Optional<GangOutcome> gangs) {}
}
