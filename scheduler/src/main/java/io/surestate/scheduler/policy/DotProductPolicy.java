package io.surestate.scheduler.policy;

import io.surestate.scheduler.pool.DeviceChoice;
import io.surestate.scheduler.pool.NodeRow;
import io.surestate.scheduler.pool.Shape;

/** The node whose free amounts and the task's request have the smallest dot product: little of what is asked is left there. */
public final class DotProductPolicy implements Policy {
    private static final int SCORE_MAX = 100;

    @Override
    public String name() {
        return "dotprod";
    }

    @Override
    public double score(Shape shape, NodeRow node, DeviceChoice choice) {
        double cpu = (node.cpuFreeMilli() / BestFitPolicy.CPU_MILLI_SCALE)
                * (shape.cpuMilli() / BestFitPolicy.CPU_MILLI_SCALE);
        double devices = (node.devicesFreeMilli() / BestFitPolicy.DEVICE_MILLI_SCALE)
                * (shape.deviceMilli() / BestFitPolicy.DEVICE_MILLI_SCALE);
        return (int) (SCORE_MAX * (1 - (cpu + devices) / 2));
    }
}
