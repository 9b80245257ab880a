package io.surestate.sim.openb;

import io.surestate.api.Limits;
import io.surestate.scheduler.pool.DeviceAsk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads the node and pod lists of the trace. Nodes: {@code sn,cpu_milli,memory_mib,gpu,model}. Pods:
 * {@code name,cpu_milli,memory_mib,num_gpu,gpu_milli} and, where the trace has it, {@code gpu_spec} (models separated by {@code |});
 * further columns are not looked at. A bad file is refused with file, line and column. No state; any thread.
 */
public final class OpenbReader {
    private static final long MEMORY_MIB_MAX = Limits.MEMORY_BYTES_MAX >> 20;

    private OpenbReader() {}

    /** The node list. */
    public static List<OpenbNode> nodes(Path file) throws IOException {
        CsvTable table = CsvTable.read(file);
        table.require("sn", "cpu_milli", "memory_mib", "gpu", "model");
        List<OpenbNode> nodes = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (CsvTable.Row row : table.rows()) {
            OpenbNode node = new OpenbNode(
                    unique(row, "sn", names),
                    row.amount("cpu_milli", Limits.CORES_PER_NODE_MAX * 1000L),
                    row.amount("memory_mib", MEMORY_MIB_MAX),
                    (int) row.amount("gpu", Limits.DEVICES_PER_NODE_MAX),
                    row.text("model"));
            if (node.gpus() > 0 && node.model().isEmpty()) {
                throw row.wrong("model", "", "the model of the node's devices");
            }
            nodes.add(node);
        }
        return nodes;
    }

    /** The pod list, in the order of the file. */
    public static List<OpenbPod> pods(Path file) throws IOException {
        CsvTable table = CsvTable.read(file);
        table.require("name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli");
        List<OpenbPod> pods = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (CsvTable.Row row : table.rows()) {
            OpenbPod pod = new OpenbPod(
                    unique(row, "name", names),
                    row.amount("cpu_milli", Limits.CPU_MILLICORES_MAX),
                    row.amount("memory_mib", MEMORY_MIB_MAX),
                    (int) row.amount("num_gpu", Limits.DEVICES_PER_TASK_MAX),
                    (int) row.amount("gpu_milli", DeviceAsk.WHOLE_MILLI),
                    models(row.text("gpu_spec")));
            if (pod.gpus() > 0 && pod.gpuMilli() == 0) {
                throw row.wrong("gpu_milli", "0", "1-1000 where num_gpu is not 0");
            }
            pods.add(pod);
        }
        return pods;
    }

    private static List<String> models(String spec) {
        return Arrays.stream(spec.split("\\|", -1))
                .filter(model -> !model.isEmpty())
                .toList();
    }

    private static String unique(CsvTable.Row row, String column, Set<String> names) throws OpenbFormatException {
        String name = row.name(column);
        if (!names.add(name)) {
            throw row.wrong(column, name, "each name once");
        }
        return name;
    }
}
