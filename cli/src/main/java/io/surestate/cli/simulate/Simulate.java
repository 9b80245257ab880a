package io.surestate.cli.simulate;

import io.surestate.cli.CliContext;
import io.surestate.cli.ExitCode;
import io.surestate.cli.output.OutputOption;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code ssctl simulate}. */
@Command(
        description = "Replay a trace in virtual time under one or more policies and compare them. Needs no server.",
        footer = {
            "",
            "Workloads:",
            "  swf:FILE      a batch log in Standard Workload Format, plain or gzip; policies fcfs, sjf, f1,",
            "                area (small processors x time first, what waited for a day before all),",
            "                area-learned (the same by learned run times, a day and a half)",
            "  philly:FILE   GPU jobs with num_gpu, submit_time, duration (ms), as CSV; the same policies",
            "  gavel:FILE    GPU jobs in steps, tab-separated; the same policies",
            "",
            "Examples:",
            "  ssctl simulate --workload swf:KTH-SP2.swf.gz --policy fcfs,area-learned --backfill easy,easy-sjbf",
            "  ssctl simulate --workload swf:lublin_256.swf --policy fcfs,sjf,f1 --backfill strict --sequences 10x1024",
            "  ssctl simulate --workload swf:log.swf --policy area --shake 1-8 --plot curves.html",
            "  ssctl simulate --workload philly:trace.csv --procs 64 --policy fcfs,sjf -o json",
            "  ssctl simulate --workload gavel:jobs.trace --procs 128 --gpu-type v100"
        })
public final class Simulate implements Callable<Integer> {
    private static final List<String> FORMS = List.of("swf", "philly", "gavel");

    private final CliContext context;

    @Option(names = "--workload", required = true, paramLabel = "FORM:FILE", description = "What comes: see below.")
    private String workload = "";

    @Option(
            names = "--policy",
            split = ",",
            paramLabel = "NAME",
            description = "Which job is next. Several with commas. Default: fcfs.")
    private List<String> policies = List.of();

    @Option(
            names = "--plot",
            paramLabel = "FILE",
            description = "Draw the curves into one HTML file that needs nothing but a browser.")
    private String plot = "";

    @Mixin
    private final QueueOptions queue = new QueueOptions();

    @Mixin
    private final OutputOption output = new OutputOption();

    public Simulate(CliContext context) {
        this.context = context;
    }

    @Override
    public Integer call() {
        TraceFile trace = TraceFile.of("--workload", workload, FORMS);
        PlotFile page = PlotFile.of(plot);
        QueueStudy study = QueueStudy.of(trace, policies, queue);
        List<QueueRow> rows;
        try (ProgressLine progress = ProgressLine.on(context, study.jobsToEnd())) {
            rows = study.run(progress);
        }
        page.write(() -> QueueCurves.page(trace.file().getFileName() + "", rows));
        QueueTable.print(context.out(), output.format(), rows, study.notes());
        return ExitCode.DONE;
    }
}
