package io.surestate.server.job;

import io.surestate.api.Limits;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.Resources;
import io.surestate.server.api.Problems;

/** Checks what one task asks for: in range, and of a kind that is placed already. */
final class ResourceAdmission {
    private static final int WHOLE_DEVICE_MILLI = 1000;

    private ResourceAdmission() {}

    static void check(String field, Resources asked) {
        Problems.range(field + ".cpu (millicores)", asked.getCpuMillicores(), 0, Limits.CPU_MILLICORES_MAX);
        Problems.range(field + ".memory (bytes)", asked.getMemoryBytes(), 0, Limits.MEMORY_BYTES_MAX);
        if (asked.getNetworkBitsPerSecond() != 0) {
            throw Problems.unsupported(field + ".network: not placed yet (expected: absent)");
        }
        if (asked.getCountablesCount() != 0) {
            throw Problems.unsupported(field + ".countables: not placed yet (expected: absent)");
        }
        long devices = 0;
        for (DeviceRequest device : asked.getDevicesList()) {
            device(field + ".devices", device);
            devices += device.getCount();
        }
        Problems.range(field + ".devices in all", devices, 0, Limits.DEVICES_PER_TASK_MAX);
    }

    private static void device(String field, DeviceRequest asked) {
        if (asked.getKind() == DeviceKind.UNRECOGNIZED || asked.getKind() == DeviceKind.DEVICE_KIND_UNSPECIFIED) {
            throw Problems.invalid(field + ".kind: absent or unknown (expected: GPU, NPU, DPU, FPGA or QPU)");
        }
        Problems.range(field + ".count", asked.getCount(), 1, Limits.DEVICES_PER_TASK_MAX);
        Problems.length(field + ".model", asked.getModel(), Limits.NAME_CHARS_MAX);
        if (asked.getShareMilli() != 0 && asked.getShareMilli() != WHOLE_DEVICE_MILLI) {
            throw Problems.unsupported(field + ".share: shares are not placed yet (expected: absent or 1)");
        }
        if (!asked.getPartition().isEmpty()) {
            throw Problems.unsupported(field + ".partition: partitions are not placed yet (expected: absent)");
        }
    }
}
