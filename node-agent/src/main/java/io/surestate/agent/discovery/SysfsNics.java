package io.surestate.agent.discovery;

import io.surestate.api.v1.Nic;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Network cards as the kernel shows them: those that are hardware, and of a machine that has none, such as a container, all but the
 * loopback. An RDMA adapter without a network interface is one by its own name. Holds no state.
 */
public final class SysfsNics {
    private static final long BITS_PER_MEGABIT = 1_000_000;
    private static final long MEGABITS_MAX = 10_000_000;

    private SysfsNics() {}

    /** In the order of their names. */
    public static List<Nic> read(Path sysfs) {
        List<Nic> all = new ArrayList<>();
        Set<Path> interfaces = new HashSet<>();
        List<Path> devices = SysfsFiles.list(sysfs.resolve("class/net"));
        boolean hardware = devices.stream().anyMatch(nic -> Files.exists(nic.resolve("device")));
        for (Path nic : devices) {
            boolean real = Files.exists(nic.resolve("device"));
            if (real || (!hardware && !name(nic).equals("lo"))) {
                SysfsFiles.real(nic.resolve("device")).ifPresent(interfaces::add);
                all.add(nic(sysfs, nic));
            }
        }
        for (Path adapter : SysfsFiles.list(sysfs.resolve("class/infiniband"))) {
            boolean shown = SysfsFiles.real(adapter.resolve("device"))
                    .filter(interfaces::contains)
                    .isPresent();
            if (!shown) {
                all.add(common(adapter)
                        .addAllFiles(files(sysfs, adapter))
                        .setRdma(true)
                        .setBitsPerSecond(rate(adapter))
                        .build());
            }
        }
        all.sort(Comparator.comparing(Nic::getName));
        return List.copyOf(all);
    }

    private static Nic nic(Path sysfs, Path nic) {
        List<Path> adapters = SysfsFiles.list(nic.resolve("device/infiniband"));
        long speed = Math.max(0, Math.min(MEGABITS_MAX, SysfsFiles.number(nic.resolve("speed"), 0))) * BITS_PER_MEGABIT;
        return common(nic)
                .setRdma(!adapters.isEmpty())
                .addAllFiles(adapters.isEmpty() ? List.of() : files(sysfs, nic))
                .setBitsPerSecond(speed > 0 || adapters.isEmpty() ? speed : rate(adapters.get(0)))
                .build();
    }

    private static Nic.Builder common(Path device) {
        return Nic.newBuilder()
                .setName(name(device))
                .setPciAddress(SysfsFiles.pciAddress(device.resolve("device")))
                .setNumaNode((int) SysfsFiles.number(device.resolve("device/numa_node"), -1));
    }

    /** Those through which programs speak to the adapter without the kernel, and to its connection manager. */
    private static List<String> files(Path sysfs, Path card) {
        List<String> files = new ArrayList<>();
        for (Path verbs : SysfsFiles.list(sysfs.resolve("class/infiniband_verbs"))) {
            boolean same = name(verbs).startsWith("uverbs")
                    && SysfsFiles.real(verbs.resolve("device")).equals(SysfsFiles.real(card.resolve("device")));
            if (same) {
                files.add("/dev/infiniband/" + name(verbs));
            }
        }
        if (!files.isEmpty()) {
            files.add("/dev/infiniband/rdma_cm");
        }
        return files;
    }

    /** Of its fastest port, from a line such as {@code 400 Gb/sec (4X NDR)}. */
    private static long rate(Path adapter) {
        return SysfsFiles.list(adapter.resolve("ports")).stream()
                        .map(port -> SysfsFiles.text(port.resolve("rate")))
                        .filter(rate -> rate.matches("[0-9]{1,5}(\\.[0-9])? Gb/sec.*"))
                        .mapToLong(rate -> (long) (Double.parseDouble(rate.substring(0, rate.indexOf(' '))) * 1_000))
                        .max()
                        .orElse(0)
                * BITS_PER_MEGABIT;
    }

    private static String name(Path device) {
        return String.valueOf(device.getFileName());
    }
}
