package io.surestate.sim.openb;

import io.surestate.api.v1.DeviceKind;
import io.surestate.scheduler.pool.DeviceAsk;
import io.surestate.scheduler.pool.NodeRow;
import io.surestate.scheduler.pool.Pool;
import java.util.List;

/** The trace's nodes as the scheduler sees them: CPU as a sum, everything free. Immutable. */
final class OpenbCluster {
    private static final int MEBIBYTE_SHIFT = 20;

    private final List<OpenbNode> nodes;

    OpenbCluster(List<OpenbNode> nodes) {
        this.nodes = List.copyOf(nodes);
    }

    /** All devices, in thousandths. */
    long gpuMilli() {
        return nodes.stream().mapToLong(OpenbNode::gpus).sum() * DeviceAsk.WHOLE_MILLI;
    }

    List<OpenbNode> nodes() {
        return nodes;
    }

    /** A fresh pool. */
    Pool pool() {
        return new Pool(nodes.stream().map(OpenbCluster::row).toList());
    }

    private static NodeRow row(OpenbNode node) {
        NodeRow.Builder row =
                NodeRow.builder(node.name()).flatCpu(node.cpuMilli()).memory(node.memoryMib() << MEBIBYTE_SHIFT);
        for (int ordinal = 0; ordinal < node.gpus(); ordinal++) {
            row.device(ordinal, DeviceKind.DEVICE_KIND_GPU, node.model(), DeviceAsk.WHOLE_MILLI);
        }
        return row.build();
    }
}
