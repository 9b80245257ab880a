package io.surestate.agent.discovery;

import java.nio.file.Path;
import oshi.hardware.HardwareAbstractionLayer;
import oshi.nativefree.SystemInfo;

/** The machine as OSHI sees it, and as the kernel shows its network and disks. */
public final class OshiMachine {
    private OshiMachine() {}

    /**
     * Looks at this machine; takes some hundred milliseconds.
     *
     * @param sysfs {@code /sys}
     * @param proc {@code /proc}
     */
    public static Machine look(Path sysfs, Path proc, String hostname) {
        HardwareAbstractionLayer hardware = new SystemInfo().getHardware();
        return new Machine(
                hardware.getProcessor().getProcessorIdentifier().getName(),
                Math.max(1, hardware.getProcessor().getPhysicalPackageCount()),
                hardware.getMemory().getTotal(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                hostname,
                SysfsNics.read(sysfs),
                SysfsStorage.read(sysfs),
                TeeTraits.read(sysfs, proc, Path.of("/dev")));
    }
}
