package io.surestate.scheduler.policy;

import io.surestate.scheduler.pool.Demand;
import io.surestate.scheduler.pool.DeviceChoice;
import io.surestate.scheduler.pool.NodeRow;
import io.surestate.scheduler.pool.Shape;

/** Tasks of one device-count class together: nodes that hold only this class, then those that hold it too, idle ones, others last. */
public final class ClusteringPolicy implements Policy {
    private static final double CLASS_STEP = 100_000;

    @Override
    public String name() {
        return "gpu-clustering";
    }

    @Override
    public double score(Shape shape, NodeRow node, DeviceChoice choice) {
        if (choice.size() == 0) {
            return 0;
        }
        Demand mine = Demand.of(shape);
        int others = 0;
        for (Demand demand : Demand.values()) {
            others += demand != mine && demand != Demand.NONE && node.held(demand) > 0 ? 1 : 0;
        }
        boolean same = node.held(mine) > 0;
        int rank;
        if (same) {
            rank = others == 0 ? 3 : 2;
        } else {
            rank = others == 0 ? 1 : 0;
        }
        return rank * CLASS_STEP - node.devicesFreeMilli();
    }
}
