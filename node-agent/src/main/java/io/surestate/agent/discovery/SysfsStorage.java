package io.surestate.agent.discovery;

import io.surestate.api.v1.Storage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Disks of this machine as the kernel shows them: hardware, not removable, not empty. Holds no state. */
public final class SysfsStorage {
    private static final long BYTES_PER_SECTOR = 512;

    private SysfsStorage() {}

    /** In the order of their names. */
    public static List<Storage> read(Path sysfs) {
        return SysfsFiles.list(sysfs.resolve("block")).stream()
                .filter(disk -> Files.exists(disk.resolve("device")))
                .filter(disk -> SysfsFiles.number(disk.resolve("removable"), 0) == 0)
                .filter(disk -> SysfsFiles.number(disk.resolve("size"), 0) > 0)
                .map(disk -> Storage.newBuilder()
                        .setName(String.valueOf(disk.getFileName()))
                        .setType(type(disk))
                        .setCapacityBytes(SysfsFiles.number(disk.resolve("size"), 0) * BYTES_PER_SECTOR)
                        .build())
                .toList();
    }

    private static String type(Path disk) {
        if (String.valueOf(disk.getFileName()).startsWith("nvme")) {
            return "nvme";
        }
        return SysfsFiles.number(disk.resolve("queue/rotational"), 0) == 1 ? "hdd" : "ssd";
    }
}
