package io.surestate.agent.discovery;

import io.surestate.api.v1.Nic;
import io.surestate.api.v1.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import oshi.hardware.HardwareAbstractionLayer;
import oshi.nativefree.SystemInfo;

/** The machine as OSHI sees it. */
public final class OshiMachine {
    private static final Logger LOG = LoggerFactory.getLogger(OshiMachine.class);
    private static final int UNKNOWN = -1;

    private OshiMachine() {}

    /**
     * Looks at this machine; takes some hundred milliseconds.
     *
     * @param sysfs {@code /sys}, for what a network card hangs on
     */
    public static Machine look(Path sysfs, String hostname) {
        HardwareAbstractionLayer hardware = new SystemInfo().getHardware();
        return new Machine(
                hardware.getProcessor().getProcessorIdentifier().getName(),
                Math.max(1, hardware.getProcessor().getPhysicalPackageCount()),
                hardware.getMemory().getTotal(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                hostname,
                nics(hardware, sysfs),
                storage(hardware));
    }

    private static List<Nic> nics(HardwareAbstractionLayer hardware, Path sysfs) {
        return hardware.getNetworkIFs().stream()
                .map(nic -> Nic.newBuilder()
                        .setName(nic.getName())
                        .setBitsPerSecond(Math.max(0, nic.getSpeed()))
                        .setRdma(Files.isDirectory(sysfs.resolve("class/net/" + nic.getName() + "/device/infiniband")))
                        .setPciAddress(pciAddress(sysfs.resolve("class/net/" + nic.getName() + "/device")))
                        .setNumaNode(numaNode(sysfs.resolve("class/net/" + nic.getName() + "/device/numa_node")))
                        .build())
                .toList();
    }

    private static List<Storage> storage(HardwareAbstractionLayer hardware) {
        return hardware.getDiskStores().stream()
                .filter(disk -> disk.getSize() > 0)
                .map(disk -> Storage.newBuilder()
                        .setName(disk.getName())
                        .setType(disk.getModel().isBlank() ? "disk" : disk.getModel())
                        .setCapacityBytes(disk.getSize())
                        .build())
                .toList();
    }

    private static String pciAddress(Path device) {
        try {
            String name = device.toRealPath().getFileName().toString();
            return name.matches("[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-9a-f]") ? name : "";
        } catch (IOException e) {
            return "";
        }
    }

    private static int numaNode(Path file) {
        try {
            return Integer.parseInt(Files.readString(file).strip());
        } catch (IOException | NumberFormatException e) {
            LOG.trace("event=numa-node-unknown file={}", file);
            return UNKNOWN;
        }
    }
}
