package io.surestate.server.job;

import io.surestate.api.Limits;
import io.surestate.api.Names;
import io.surestate.api.v1.Countable;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.Resources;
import io.surestate.server.api.Problems;
import java.util.Comparator;
import java.util.TreeSet;

/** Checks what one task asks for, and puts it into its one form. */
final class ResourceAdmission {
    private static final int WHOLE_DEVICE_MILLI = 1000;

    private ResourceAdmission() {}

    /** The same, in its one form: countables by name, whole devices without a share. */
    static Resources admit(String field, Resources asked) {
        Problems.range(field + ".cpu (millicores)", asked.getCpuMillicores(), 0, Limits.CPU_MILLICORES_MAX);
        Problems.range(field + ".memory (bytes)", asked.getMemoryBytes(), 0, Limits.MEMORY_BYTES_MAX);
        Problems.range(field + ".network (bit/s)", asked.getNetworkBitsPerSecond(), 0, Limits.NAMED_AMOUNT_MAX);
        Problems.range(field + ".storage (bytes)", asked.getStorageBytes(), 0, Limits.NAMED_AMOUNT_MAX);
        Resources.Builder form = asked.toBuilder().clearCountables().clearDevices();
        countables(field + ".countables", asked);
        asked.getCountablesList().stream()
                .sorted(Comparator.comparing(Countable::getName))
                .forEach(form::addCountables);
        long devices = 0;
        for (DeviceRequest device : asked.getDevicesList()) {
            form.addDevices(device(field + ".devices", device));
            devices += device.getCount();
        }
        Problems.range(field + ".devices in all", devices, 0, Limits.DEVICES_PER_TASK_MAX);
        long byUnits = asked.getDevicesList().stream()
                .filter(line -> line.getUnits() != 0)
                .count();
        Problems.range(field + ".devices with units", byUnits, 0, 1);
        return form.build();
    }

    private static void countables(String field, Resources asked) {
        Problems.range(field, asked.getCountablesCount(), 0, Limits.ALTERNATIVES_MAX);
        TreeSet<String> seen = new TreeSet<>();
        for (Countable countable : asked.getCountablesList()) {
            Problems.require(Names.countableProblem(field, countable.getName()));
            Problems.range(field + "." + countable.getName(), countable.getAmount(), 1, Limits.NAMED_AMOUNT_MAX);
            if (!seen.add(countable.getName())) {
                throw Problems.invalid(Names.message(field, countable.getName(), "each name once"));
            }
        }
    }

    private static DeviceRequest device(String field, DeviceRequest asked) {
        if (asked.getKind() == DeviceKind.UNRECOGNIZED || asked.getKind() == DeviceKind.DEVICE_KIND_UNSPECIFIED) {
            throw Problems.invalid(field + ".kind: absent or unknown (expected: GPU, NPU, DPU, FPGA or QPU)");
        }
        amount(field, asked);
        Problems.length(field + ".model", asked.getModel(), Limits.NAME_CHARS_MAX);
        Problems.length(field + ".vendor", asked.getVendor(), Limits.NAME_CHARS_MAX);
        Problems.length(field + ".partition", asked.getPartition(), Limits.NAME_CHARS_MAX);
        Problems.range(field + ".memory (bytes)", asked.getMemoryBytes(), 0, Limits.MEMORY_BYTES_MAX);
        Problems.range(field + ".share (thousandths)", asked.getShareMilli(), 0, WHOLE_DEVICE_MILLI);
        models(field + ".models", asked);
        return asked.getShareMilli() == WHOLE_DEVICE_MILLI
                ? asked.toBuilder().clearShareMilli().build()
                : asked;
    }

    /** Devices by count, or by compute units. */
    private static void amount(String field, DeviceRequest asked) {
        Problems.range(field + ".units", asked.getUnits(), 0, Limits.NAMED_AMOUNT_MAX);
        if (!asked.getDeviceClass().isEmpty()) {
            Problems.require(Names.labelProblem(field + ".class", asked.getDeviceClass()));
            if (!asked.getModel().isEmpty() || asked.getModelsCount() > 0) {
                throw Problems.invalid(Names.message(field + ".class", asked.getDeviceClass(), "none beside a model"));
            }
        }
        if (asked.getUnits() == 0) {
            Problems.range(field + ".count", asked.getCount(), 1, Limits.DEVICES_PER_TASK_MAX);
            if (!asked.getPrecision().isEmpty()) {
                throw Problems.invalid(
                        Names.message(field + ".precision", asked.getPrecision(), "none, or units beside it"));
            }
            return;
        }
        Problems.require(Names.labelProblem(field + ".precision", asked.getPrecision()));
        boolean whole = asked.getCount() == 0
                && asked.getShareMilli() == 0
                && asked.getPartition().isEmpty();
        if (!whole) {
            throw Problems.invalid(field + ".units: " + asked.getUnits()
                    + " beside count, share or partition (expected: units alone; they are met by whole devices)");
        }
    }

    private static void models(String field, DeviceRequest asked) {
        Problems.range(field, asked.getModelsCount(), 0, Limits.ALTERNATIVES_MAX);
        if (asked.getModelsCount() > 0 && !asked.getModel().isEmpty()) {
            throw Problems.invalid(field + ": beside model " + asked.getModel() + " (expected: only one of the two)");
        }
        for (String model : asked.getModelsList()) {
            Problems.length(field, model, Limits.NAME_CHARS_MAX);
            if (model.isEmpty()) {
                throw Problems.invalid(field + ": an empty one (expected: model names as discovered)");
            }
        }
    }
}
