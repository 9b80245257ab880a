package io.surestate.agent.discovery;

import io.surestate.agent.device.KernelView;
import io.surestate.api.v1.Device;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Accelerators as {@code /sys} and {@code /proc} show them. Sources: NVIDIA's driver, README, "the /proc filesystem interface"; the kernel's documentation of
 * DRM render nodes and of amdkfd.
 *
 * @param proc {@code /proc}
 * @param sysfs {@code /sys}
 */
public record SysfsDevices(Path proc, Path sysfs) implements KernelView {
    private static final Pattern NVIDIA_MINOR = Pattern.compile("(?m)^Device Minor:\\s*(\\d{1,4})\\s*$");
    /** What every user of the driver opens beside its device. */
    private static final List<String> NVIDIA_COMMON =
            List.of("/dev/nvidia-uvm", "/dev/nvidia-uvm-tools", "/dev/nvidiactl");

    private static final String AMD_COMMON = "/dev/kfd";

    @Override
    public int numaOfPci(String address) {
        return SysfsFiles.numaOfPci(sysfs, address);
    }

    @Override
    public List<String> files(Device device) {
        return switch (device.getVendor()) {
            case "NVIDIA" -> nvidia(device.getPciAddress());
            case "AMD" -> amd(device.getPciAddress());
            default -> List.of();
        };
    }

    private List<String> nvidia(String address) {
        if (!SysfsFiles.isPciAddress(address)) {
            return List.of();
        }
        Matcher minor = NVIDIA_MINOR.matcher(SysfsFiles.text(
                proc.resolve("driver/nvidia/gpus").resolve(address).resolve("information")));
        if (!minor.find()) {
            return List.of();
        }
        List<String> files = new ArrayList<>(List.of("/dev/nvidia" + minor.group(1)));
        files.addAll(NVIDIA_COMMON);
        return files;
    }

    private List<String> amd(String address) {
        for (Path node : SysfsFiles.list(sysfs.resolve("class/drm"))) {
            String name = String.valueOf(node.getFileName());
            if (name.matches("renderD\\d{1,4}") && address.equals(SysfsFiles.pciAddress(node.resolve("device")))) {
                return List.of("/dev/dri/" + name, AMD_COMMON);
            }
        }
        return List.of();
    }
}
