package io.surestate.agent.device;

import io.surestate.api.Limits;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceAilment;
import io.surestate.api.v1.DeviceHealth;
import io.surestate.api.v1.DeviceListing;
import io.surestate.api.v1.DeviceTelemetry;
import io.surestate.api.v1.NodeSpec;
import io.surestate.manifest.dialect.ManifestException;
import io.surestate.manifest.dialect.ManifestReader;
import io.surestate.manifest.hardware.DeviceSigns;
import io.surestate.manifest.hardware.NodeRules;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** An executable of the operator's that prints a {@link DeviceListing} as JSON. One thread. */
public final class PluginSource implements DeviceSource {
    private final String name;
    private final Path path;
    private final Program program;

    /** @param name of the source, as conditions show it */
    public PluginSource(String name, Path path, Program.Bounds bounds) {
        this.name = name;
        this.path = path;
        this.program = new Program(path.toString(), bounds);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Finding look() {
        Program.Result result = program.run(List.of());
        if (result instanceof Program.Output output) {
            try {
                DeviceListing.Builder listing = DeviceListing.newBuilder();
                new ManifestReader().read(path.toString(), output.text(), listing);
                return found(listing.build());
            } catch (ManifestException broken) {
                return new Failed(String.valueOf(broken.getMessage()));
            }
        }
        // It is in the configuration: somebody expects it to be there.
        return new Failed(
                result instanceof Program.Failed failed
                        ? failed.reason()
                        : path + ": no executable file (expected: the plug-in of the configuration)");
    }

    private Finding found(DeviceListing listing) {
        NodeSpec part = NodeSpec.newBuilder()
                .addAllDevices(listing.getDevicesList())
                .addAllLinks(listing.getLinksList())
                .addAllDomains(listing.getDomainsList())
                .addAllLabels(listing.getLabelsList())
                .addAllCountables(listing.getCountablesList())
                .build();
        Optional<String> problem = NodeRules.problem(part)
                .or(() -> part.getDevicesList().stream()
                        .filter(device -> device.getHardwareId().isBlank())
                        .map(device -> "devices[" + device.getOrdinal()
                                + "].hardwareId: \"\" (expected: what tells this " + "device from all others)")
                        .findFirst());
        return problem.<Finding>map(message -> new Failed(path + ": " + message))
                .orElseGet(() -> new Found(part, signs(part, listing), ""));
    }

    private static List<DeviceSigns> signs(NodeSpec part, DeviceListing listing) {
        Map<Integer, DeviceSigns> signs = new TreeMap<>();
        for (Device device : part.getDevicesList()) {
            boolean ill = device.getHealth() == DeviceHealth.DEVICE_HEALTH_UNHEALTHY;
            signs.put(
                    device.getOrdinal(),
                    new DeviceSigns(
                            ill ? "the plug-in says so" : "",
                            DeviceTelemetry.newBuilder()
                                    .setOrdinal(device.getOrdinal())
                                    .build()));
        }
        for (DeviceTelemetry telemetry : listing.getTelemetryList()) {
            signs.computeIfPresent(
                    telemetry.getOrdinal(), (ordinal, sign) -> new DeviceSigns(sign.ailment(), telemetry));
        }
        for (DeviceAilment ailment : listing.getAilmentsList()) {
            String reason = ailment.getReason()
                    .substring(0, Math.min(ailment.getReason().length(), Limits.REASON_CHARS_MAX / 2));
            signs.computeIfPresent(ailment.getOrdinal(), (ordinal, sign) -> new DeviceSigns(reason, sign.telemetry()));
        }
        return List.copyOf(signs.values());
    }
}
