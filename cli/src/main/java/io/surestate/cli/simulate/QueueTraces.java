package io.surestate.cli.simulate;

import io.surestate.api.Names;
import io.surestate.cli.CliException;
import io.surestate.sim.batch.SwfLogs;
import io.surestate.sim.batch.Workload;
import io.surestate.sim.gpujobs.GavelTrace;
import io.surestate.sim.gpujobs.PhillyTrace;
import io.surestate.sim.trace.TraceBounds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Reads whatever form of trace with jobs that queue. */
final class QueueTraces {
    private QueueTraces() {}

    /** @param room where gangs are placed, if they are */
    static Workload read(TraceFile trace, QueueOptions options, Optional<GangRoom> room) {
        if (trace.form().equals(Forms.SWF)) {
            return Reading.of(trace.file(), () -> swf(trace.file(), options));
        }
        int gpus = room.map(GangRoom::widest).orElseGet(() -> gpus(options));
        Workload read = Reading.of(
                trace.file(),
                () -> trace.form().equals(Forms.PHILLY)
                        ? PhillyTrace.read(trace.file(), gpus, TraceBounds.ordinary())
                        : gavel(trace.file(), gpus, options));
        return room.map(nodes -> new Workload(read.log(), nodes.total(), read.dropped(), read.assumptions()))
                .orElse(read);
    }

    private static Workload swf(Path file, QueueOptions options) throws IOException {
        return options.sequences()
                ? SwfLogs.forSequences(file, options.procs(), TraceBounds.ordinary())
                : SwfLogs.whole(file, options.procs(), TraceBounds.ordinary());
    }

    private static Workload gavel(Path file, int gpus, QueueOptions options) throws IOException {
        Path throughputs = options.throughputs().isEmpty()
                ? file.resolveSibling(GavelTrace.THROUGHPUTS)
                : Path.of(options.throughputs());
        if (!Files.isReadable(throughputs) || Files.isDirectory(throughputs)) {
            throw CliException.usage(Names.message(
                    "--throughputs",
                    throughputs.toString(),
                    "a file of the steps per second that were measured for each kind of job"));
        }
        return GavelTrace.read(file, throughputs, options.gpuType(), gpus, TraceBounds.ordinary());
    }

    private static int gpus(QueueOptions options) {
        return options.procs()
                .orElseThrow(() -> CliException.usage(
                        "--procs: missing (expected: the number of GPUs of the cluster, or --cluster nodes:FILE)"));
    }
}
