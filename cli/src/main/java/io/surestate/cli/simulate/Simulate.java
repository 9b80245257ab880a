package io.surestate.cli.simulate;

import io.surestate.api.ErrorCodes;
import io.surestate.api.v1.Job;
import io.surestate.cli.CliContext;
import io.surestate.cli.CliException;
import io.surestate.cli.ExitCode;
import io.surestate.cli.connect.Connection;
import io.surestate.cli.connect.Session;
import io.surestate.cli.input.ManifestFiles;
import io.surestate.cli.output.OutputOption;
import io.surestate.manifest.dialect.ManifestReader;
import io.surestate.sim.cluster.ClusterRefusal;
import io.surestate.sim.openb.PolicyResult;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ssctl simulate}. */
@Command(
        description =
                "Replay a trace in virtual time under one or more policies and compare them; or ask what would happen to a running "
                        + "cluster. Needs no server, and --server, --tenant and --timeout have no effect, but for --live.",
        footer = {
            "",
            "Workloads:",
            "  swf:FILE     a batch log in Standard Workload Format, plain or gzip",
            "  philly:FILE  GPU jobs as CSV: num_gpu, submit_time, duration (both in ms)",
            "  gavel:FILE   GPU jobs in steps, tab-separated",
            "  openb:FILE   pods that arrive one by one and stay, on nodes of --cluster",
            "",
            "Policies of swf, philly and gavel:",
            "  fcfs, sjf (shortest request first), f1 (a published formula), area (least",
            "  processors x time first; what waited for a day before all), area-learned (by",
            "  learned run times; what waited for a day and a half before all)",
            "Policies of openb:",
            "  random, bestfit, dotprod, gpu-packing, gpu-clustering, fgd, fgd-learned,",
            "  surestate",
            "",
            "Examples:",
            "  ssctl simulate --workload swf:kth.swf.gz --policy fcfs,area-learned",
            "  ssctl simulate --workload swf:kth.swf.gz --backfill easy,easy-sjbf -o json",
            "  ssctl simulate --workload swf:lublin.swf --policy fcfs,sjf,f1 \\",
            "      --backfill strict --sequences 10x1024",
            "  ssctl simulate --workload swf:a.swf --shake 1-8 --plot curves.svg",
            "  ssctl simulate --workload philly:trace.csv --procs 64 --policy fcfs,sjf",
            "  ssctl simulate --workload gavel:jobs.trace --procs 128 --gpu-type v100",
            "  ssctl simulate --workload philly:trace.csv --cluster nodes:planned.yaml \\",
            "      --pack supernode --policy fcfs,sjf",
            "  ssctl simulate --cluster openb:nodes.csv --workload openb:pods.csv \\",
            "      --policy random,bestfit,fgd,surestate",
            "  ssctl simulate --live --job train.yaml --server s1:7300,s2:7300",
            "  ssctl simulate --live --without node-7,node-8 -o json",
            "  ssctl simulate --live --workload philly:trace.csv --pack supernode"
        })
public final class Simulate implements Callable<Integer> {
    private final CliContext context;
    private final Connection connection;

    @Option(names = "--workload", paramLabel = "FORM:FILE", description = "What comes: see below.")
    private String workload = "";

    @Option(
            names = "--policy",
            split = ",",
            paramLabel = "NAME",
            description =
                    "Which job is next, or which node is best. Several with commas. Default: fcfs; for openb: surestate.")
    private List<String> policies = List.of();

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description = "Draw the curves into one file that needs nothing else: .html (zooms) or .svg.")
    private String plot = "";

    @Mixin
    private final QueueOptions queue = new QueueOptions();

    @Mixin
    private final ClusterOptions cluster = new ClusterOptions();

    @Mixin
    private final PlacementOptions placement = new PlacementOptions();

    @Mixin
    private final LiveOptions live = new LiveOptions();

    @Mixin
    private final OutputOption output = new OutputOption();

    public Simulate(CliContext context, Connection connection) {
        this.context = context;
        this.connection = connection;
    }

    @Override
    public Integer call() {
        live.check(!workload.isEmpty());
        try {
            if (live.live()) {
                live();
            } else {
                replay();
            }
        } catch (ClusterRefusal refused) {
            throw CliException.refused(ErrorCodes.shortName(refused.code()) + ": " + refused.getMessage());
        }
        return ExitCode.DONE;
    }

    private void replay() {
        if (workload.isEmpty()) {
            throw CliException.usage("--workload: missing (expected: "
                    + String.join(
                            ", ", Forms.ALL.stream().map(form -> form + ":FILE").toList()) + ")");
        }
        TraceFile trace = TraceFile.of("--workload", workload, Forms.ALL);
        PlotFile page = PlotFile.of(plot);
        boolean placing = trace.form().equals(Forms.OPENB);
        uses().check(trace.form());
        if (placing) {
            place(trace, page);
        } else {
            queue(trace, page, room());
        }
    }

    private OptionUses uses() {
        OptionUses uses = new OptionUses();
        queue.note(uses);
        cluster.note(uses);
        placement.note(uses);
        return uses.note("--policy", !policies.isEmpty(), Forms.ALL).note("--plot", !plot.isEmpty(), Forms.ALL);
    }

    private void live() {
        if (workload.isEmpty()) {
            uses().checkNone();
            LiveStudy study = question();
            FateTable.print(context.out(), output.format(), study.fates(), study.revision());
            return;
        }
        TraceFile trace = TraceFile.of("--workload", workload, Forms.GANGS);
        uses().check(trace.form());
        if (cluster.given() || queue.procs().isPresent()) {
            throw CliException.usage(
                    "--cluster, --procs: given with --live (expected: left out, the cluster has its nodes)");
        }
        PlotFile page = PlotFile.of(plot);
        queue(trace, page, Optional.of(cluster.room(question())));
    }

    private LiveStudy question() {
        Optional<Job> job = live.job().isEmpty()
                ? Optional.empty()
                : Optional.of(ManifestFiles.read(
                        live.job(),
                        context.in(),
                        "a job file",
                        (source, text) -> new ManifestReader().readJob(source, text)));
        try (Session session = connection.open()) {
            LiveCluster running = new LiveCluster(session);
            Optional<Job> checked = job.map(running::checked);
            LiveStudy study = new LiveStudy(running.copy());
            study.without(live.without());
            checked.ifPresent(study::submitted);
            return study;
        }
    }

    private void queue(TraceFile trace, PlotFile page, Optional<GangRoom> room) {
        QueueStudy study = QueueStudy.of(trace, policies, queue, room);
        List<QueueRow> rows;
        try (ProgressLine progress = ProgressLine.on(context, study.jobsToEnd(), "jobs")) {
            rows = study.run(progress::step);
        }
        page.write(() -> QueueCurves.of(trace.name(), rows));
        QueueTable.print(context.out(), output.format(), rows, study.notes());
    }

    private Optional<GangRoom> room() {
        if (cluster.given() && queue.procs().isPresent()) {
            throw CliException.usage("--procs: given with --cluster (expected: one of them)");
        }
        return cluster.room(context.in());
    }

    private void place(TraceFile trace, PlotFile page) {
        PlacementStudy study = PlacementStudy.of(trace, policies, cluster.openb(), placement);
        List<PolicyResult> results;
        try (ProgressLine progress = ProgressLine.on(context, study.steps(), "% of runs")) {
            results = study.run(context.threads(), progress::step);
        }
        page.write(() -> PlacementCurves.of(trace.name(), results));
        PlacementTable.print(context.out(), output.format(), results);
    }
}
