package io.surestate.sim.openb;

import io.surestate.api.Limits;
import io.surestate.scheduler.pool.DeviceAsk;
import io.surestate.sim.trace.TraceBounds;
import io.surestate.sim.trace.TraceException;
import io.surestate.sim.trace.TraceRow;
import io.surestate.sim.trace.TraceTable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the node and pod lists of the trace. Nodes: {@code sn,cpu_milli,memory_mib,gpu,model}. Pods:
 * {@code name,cpu_milli,memory_mib,num_gpu,gpu_milli} and, where the trace has it, {@code gpu_spec} (models separated by {@code |});
 * further columns are not looked at. A bad file is refused with file, line and column. No state; any thread.
 */
public final class OpenbReader {
    private static final long MEMORY_MIB_MAX = Limits.MEMORY_BYTES_MAX >> 20;
    /** Each pod is an object. */
    private static final int PODS_MAX = 1_000_000;

    private OpenbReader() {}

    /**
     * The node list.
     *
     * @throws TraceException a column is missing or a value is none
     */
    public static List<OpenbNode> nodes(Path file, TraceBounds bounds) throws IOException {
        List<OpenbNode> nodes = new ArrayList<>();
        Set<String> names = new HashSet<>();
        try (TraceTable table = TraceTable.open(
                file, most(bounds, Limits.NODES_MAX), "sn", "cpu_milli", "memory_mib", "gpu", "model")) {
            for (Optional<TraceRow> row = table.next(); row.isPresent(); row = table.next()) {
                nodes.add(node(row.get(), names));
            }
        }
        return nodes;
    }

    private static OpenbNode node(TraceRow row, Set<String> names) {
        OpenbNode node = new OpenbNode(
                unique(row, "sn", names),
                row.whole("cpu_milli", Limits.CORES_PER_NODE_MAX * 1000L),
                row.whole("memory_mib", MEMORY_MIB_MAX),
                (int) row.whole("gpu", Limits.DEVICES_PER_NODE_MAX),
                row.text("model"));
        if (node.gpus() > 0 && node.model().isEmpty()) {
            throw row.wrong("model", "", "the model of the node's devices");
        }
        return node;
    }

    /**
     * The pod list, in the order of the file.
     *
     * @throws TraceException a column is missing or a value is none
     */
    public static List<OpenbPod> pods(Path file, TraceBounds bounds) throws IOException {
        List<OpenbPod> pods = new ArrayList<>();
        Set<String> names = new HashSet<>();
        try (TraceTable table = TraceTable.open(
                file, most(bounds, PODS_MAX), "name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli")) {
            for (Optional<TraceRow> row = table.next(); row.isPresent(); row = table.next()) {
                pods.add(pod(row.get(), names));
            }
        }
        return pods;
    }

    private static OpenbPod pod(TraceRow row, Set<String> names) {
        OpenbPod pod = new OpenbPod(
                unique(row, "name", names),
                row.whole("cpu_milli", Limits.CPU_MILLICORES_MAX),
                row.whole("memory_mib", MEMORY_MIB_MAX),
                (int) row.whole("num_gpu", Limits.DEVICES_PER_TASK_MAX),
                (int) row.whole("gpu_milli", DeviceAsk.WHOLE_MILLI),
                models(row.text("gpu_spec")));
        if (pod.gpus() > 0 && pod.gpuMilli() == 0) {
            throw row.wrong("gpu_milli", "0", "1-1000 where num_gpu is not 0");
        }
        return pod;
    }

    private static TraceBounds most(TraceBounds bounds, int rows) {
        return bounds.withRows(Math.min(rows, bounds.rows()));
    }

    private static List<String> models(String spec) {
        return Arrays.stream(spec.split("\\|", -1))
                .filter(model -> !model.isEmpty())
                .toList();
    }

    private static String unique(TraceRow row, String column, Set<String> names) {
        String name = row.name(column);
        if (!names.add(name)) {
            throw row.wrong(column, name, "each name once");
        }
        return name;
    }
}
