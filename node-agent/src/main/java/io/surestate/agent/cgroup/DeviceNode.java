package io.surestate.agent.cgroup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * A file below {@code /dev} that stands for a device, as the kernel numbers it.
 *
 * @param block false = a character device
 */
public record DeviceNode(boolean block, long major, long minor) {
    private static final int TYPE_MASK = 0xF000;
    private static final int TYPE_BLOCK = 0x6000;
    private static final int TYPE_CHARACTER = 0x2000;

    /** Empty if this is no device. The numbers are packed as in glibc's {@code gnu_dev_major} and {@code gnu_dev_minor}. */
    public static Optional<DeviceNode> of(Path file) {
        try {
            Map<String, Object> attributes = Files.readAttributes(file, "unix:mode,rdev");
            int type = ((Integer) attributes.getOrDefault("mode", 0)) & TYPE_MASK;
            long device = (Long) attributes.getOrDefault("rdev", 0L);
            return type == TYPE_BLOCK || type == TYPE_CHARACTER
                    ? Optional.of(new DeviceNode(
                            type == TYPE_BLOCK,
                            ((device >>> 8) & 0xFFF) | ((device >>> 32) & ~0xFFFL),
                            (device & 0xFF) | ((device >>> 12) & ~0xFFL & 0xFFFFFFFFL)))
                    : Optional.empty();
        } catch (IOException notThere) {
            return Optional.empty();
        }
    }

    /** As the devices controller writes it, such as {@code c 195:0}. */
    @Override
    public String toString() {
        return (block ? "b " : "c ") + major + ":" + minor;
    }
}
