package io.surestate.scheduler.policy;

import io.surestate.scheduler.pool.DeviceAsk;
import io.surestate.scheduler.pool.DeviceChoice;
import io.surestate.scheduler.pool.NodeRow;
import io.surestate.scheduler.pool.Shape;

/** A device in use first, then a free device on a node in use, and an idle node last. */
public final class PackingPolicy implements Policy {
    private static final double SHARED_DEVICE = 200_000;
    private static final double USED_NODE = 100_000;

    @Override
    public String name() {
        return "gpu-packing";
    }

    @Override
    public double score(Shape shape, NodeRow node, DeviceChoice choice) {
        if (choice.size() == 0) {
            return 0;
        }
        int idle = 0;
        for (int position = 0; position < node.deviceCount(); position++) {
            idle += node.deviceFreeMilli(position) == DeviceAsk.WHOLE_MILLI ? 1 : 0;
        }
        if (choice.size() == 1 && node.deviceFreeMilli(choice.position(0)) < DeviceAsk.WHOLE_MILLI) {
            return SHARED_DEVICE - node.deviceFreeMilli(choice.position(0));
        }
        return idle < node.deviceCount() ? USED_NODE - idle : -node.deviceCount();
    }
}
