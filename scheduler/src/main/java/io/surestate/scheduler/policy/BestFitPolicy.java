package io.surestate.scheduler.policy;

import io.surestate.scheduler.pool.DeviceChoice;
import io.surestate.scheduler.pool.NodeRow;
import io.surestate.scheduler.pool.Shape;

/** The node with the least CPU and devices left, each measured against the largest node of the published experiment. */
public final class BestFitPolicy implements Policy {
    /** Millicores of the largest node. */
    static final double CPU_MILLI_SCALE = 128_000;
    /** Device thousandths of the largest node. */
    static final double DEVICE_MILLI_SCALE = 8_000;

    private static final int SCORE_MAX = 100;

    @Override
    public String name() {
        return "bestfit";
    }

    @Override
    public double score(Shape shape, NodeRow node, DeviceChoice choice) {
        double cpuLeft = (node.cpuFreeMilli() - shape.cpuMilli()) / CPU_MILLI_SCALE;
        double devicesLeft = (node.devicesFreeMilli() - shape.deviceMilli()) / DEVICE_MILLI_SCALE;
        return (int) (SCORE_MAX * (1 - 0.5 * cpuLeft - 0.5 * devicesLeft));
    }
}
