package io.surestate.manifest.hardware;

import io.surestate.api.v1.DeviceTelemetry;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** How a GPU or MIG instance is doing, of its element in {@code nvidia-smi -q -x}. Holds no state. */
final class NvidiaSigns {
    private static final long BITS_PER_KB = 8_000;
    private static final long BYTES_PER_MIB = 1 << 20;
    private static final String LOST = "GPU is lost";

    private NvidiaSigns() {}

    static DeviceSigns of(XmlElement gpu, int ordinal) {
        return new DeviceSigns(ailment(gpu).orElse(""), telemetry(gpu, ordinal));
    }

    /** Of a MIG instance, of which the tool tells little; what ails the GPU ails it too. */
    static DeviceSigns ofInstance(XmlElement instance, int ordinal) {
        return new DeviceSigns(
                uncorrected(instance, "volatile_count").orElse(""),
                DeviceTelemetry.newBuilder()
                        .setOrdinal(ordinal)
                        .setMemoryUsedBytes(memoryUsed(instance))
                        .build());
    }

    /** Of a GPU that fell off the bus the driver still knows the address; it says so instead of the values. */
    static boolean lost(XmlElement gpu) {
        return gpu.children().stream()
                .anyMatch(child -> child.text().contains(LOST)
                        || child.children().stream()
                                .anyMatch(inner -> inner.text().contains(LOST)));
    }

    private static Optional<String> ailment(XmlElement gpu) {
        if (lost(gpu)) {
            return Optional.of("fell off the bus");
        }
        String action = gpu.textAt("gpu_recovery_action");
        if (!action.isEmpty() && !action.equals("None")) {
            return Optional.of("the driver asks for recovery: " + action);
        }
        return uncorrected(gpu, "volatile")
                .or(() -> says(gpu, "Yes", "row remapping failed", "remapped_rows", "remapped_row_failure"))
                .or(() -> says(gpu, "Yes", "a row is to be remapped", "remapped_rows", "remapped_row_pending"))
                .or(() -> says(gpu, "Yes", "a page is to be retired", "retired_pages", "pending_retirement"))
                .or(() -> says(gpu, "Yes", "a page is to be retired", "retired_pages", "pending_blacklist"))
                .or(() -> says(gpu, "Unhealthy", "its NVLink fabric is unhealthy", "fabric", "health", "summary"));
    }

    private static Optional<String> says(XmlElement gpu, String value, String reason, String... path) {
        return gpu.textAt(path).equals(value) ? Optional.of(reason) : Optional.empty();
    }

    /** Since the driver was loaded or the GPU reset. */
    private static Optional<String> uncorrected(XmlElement of, String period) {
        long errors = errors(of, period, "_uncorrectable");
        return errors > 0 ? Optional.of("uncorrectable memory errors: " + errors) : Optional.empty();
    }

    private static long errors(XmlElement of, String period, String kind) {
        return of.first("ecc_errors").stream()
                .flatMap(errors -> errors.all(period))
                .flatMap(counts -> counts.children().stream())
                .filter(count -> count.name().contains(kind))
                .mapToLong(count -> Figures.amount(count.text()))
                .sum();
    }

    private static long memoryUsed(XmlElement of) {
        return Figures.amount(of.textAt("fb_memory_usage", "used")) * BYTES_PER_MIB;
    }

    private static DeviceTelemetry telemetry(XmlElement gpu, int ordinal) {
        return DeviceTelemetry.newBuilder()
                .setOrdinal(ordinal)
                .setUseMilli(Figures.percentInMilli(gpu.textAt("utilization", "gpu_util")))
                .setMemoryUsedBytes(memoryUsed(gpu))
                .setTemperatureCelsius(Figures.whole(gpu.textAt("temperature", "gpu_temp")))
                .setPowerWatts(power(gpu, "instant_power_draw", "average_power_draw", "power_draw"))
                .setPowerLimitWatts(power(gpu, "current_power_limit", "power_limit"))
                .setClockMhz(Figures.whole(gpu.textAt("clocks", "sm_clock")))
                .setEccCorrected(errors(gpu, "volatile", "_correctable"))
                .setEccUncorrected(errors(gpu, "volatile", "_uncorrectable"))
                .setLinkBitsPerSecond(
                        (Figures.amount(gpu.textAt("pci", "tx_util")) + Figures.amount(gpu.textAt("pci", "rx_util")))
                                * BITS_PER_KB)
                .build();
    }

    /** Drivers before 535 have one section of another name. */
    private static int power(XmlElement gpu, String... names) {
        return List.of("gpu_power_readings", "power_readings").stream()
                .flatMap(section -> Stream.of(names).map(name -> gpu.textAt(section, name)))
                .filter(text -> Figures.of(text) > 0)
                .findFirst()
                .map(Figures::whole)
                .orElse(0);
    }
}
