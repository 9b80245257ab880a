package io.surestate.agent.discovery;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What stands in the kernel's small files; what is not there or cannot be read is unknown. Holds no state. */
public final class SysfsFiles {
    private SysfsFiles() {}

    /** The NUMA place of a PCI device, -1 = unknown. */
    static int numaOfPci(Path sysfs, String address) {
        return isPciAddress(address)
                ? (int) number(sysfs.resolve("bus/pci/devices/" + address + "/numa_node"), -1)
                : -1;
    }

    /** As {@code 0000:3b:00.0}. */
    static boolean isPciAddress(String text) {
        return text.matches("[0-9a-f]{4}:[0-9a-f]{2}:[0-9a-f]{2}\\.[0-9a-f]");
    }

    static String text(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException unknown) {
            return "";
        }
    }

    static long number(Path file, long unknown) {
        String text = text(file);
        return text.matches("-?[0-9]{1,18}") ? Long.parseLong(text) : unknown;
    }

    /** In the order of their names. */
    static List<Path> list(Path folder) {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> found = Files.list(folder)) {
            return found.sorted().toList();
        } catch (IOException unknown) {
            return List.of();
        }
    }

    static Optional<Path> real(Path link) {
        try {
            return Optional.of(link.toRealPath());
        } catch (IOException notThere) {
            return Optional.empty();
        }
    }

    /** Where a device hangs, as {@code 0000:3b:00.0}; empty = not on PCI. */
    static String pciAddress(Path device) {
        return real(device)
                .map(path -> String.valueOf(path.getFileName()))
                .filter(SysfsFiles::isPciAddress)
                .orElse("");
    }
}
