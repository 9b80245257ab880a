package io.surestate.sim.openb;

import io.surestate.api.v1.DeviceKind;
import io.surestate.scheduler.pool.DeviceAsk;
import io.surestate.scheduler.pool.Shape;
import java.util.List;

/**
 * A pod of the trace.
 *
 * @param cpuMilli millicores
 * @param memoryMib mebibytes
 * @param gpus devices, at least 0
 * @param gpuMilli thousandths of each device; 0 without devices
 * @param models any of these; empty = any
 */
public record OpenbPod(String name, long cpuMilli, long memoryMib, int gpus, int gpuMilli, List<String> models) {
    private static final int MEBIBYTE_SHIFT = 20;

    public OpenbPod {
        models = List.copyOf(models);
    }

    /** What it asks for in all, in thousandths of a device. */
    public long totalGpuMilli() {
        return (long) gpus * gpuMilli;
    }

    /** The request as the scheduler sees it. */
    public Shape shape() {
        List<DeviceAsk> asks =
                gpus == 0 ? List.of() : List.of(new DeviceAsk(DeviceKind.DEVICE_KIND_GPU, models, gpus, gpuMilli));
        return new Shape(cpuMilli, memoryMib << MEBIBYTE_SHIFT, asks);
    }
}
