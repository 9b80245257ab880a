package io.surestate.agent.discovery;

import io.surestate.api.Names;
import io.surestate.api.v1.Domain;
import io.surestate.api.v1.Label;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.NumaNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;

/** Puts together what this node offers: the kernel's cores and NUMA places within the configured share, and the machine around. */
public final class NodeDiscovery {
    private static final long RESERVE_BYTES_MIN = 512L << 20;
    private static final int RESERVE_PART = 20;
    private static final long KIBI = 1024;

    private final Path sysfs;
    private final Path proc;
    private final Offer offer;

    /**
     * What of the machine is given out, and where it stands.
     *
     * @param cores empty = all that are online and allowed
     * @param memoryBytes empty = all but a reserve of a twentieth, at least 512 MiB
     */
    public record Offer(
            NavigableSet<Integer> cores, OptionalLong memoryBytes, Map<String, String> labels, List<Domain> domains) {}

    public NodeDiscovery(Path sysfs, Path proc, Offer offer) {
        this.sysfs = sysfs;
        this.proc = proc;
        this.offer = offer;
    }

    /**
     * The node's description.
     *
     * @throws IllegalArgumentException if the configuration offers what is not there
     */
    public NodeSpec discover(Machine machine) {
        NavigableSet<Integer> cores = offeredCores();
        long memory = offeredMemory(machine.memoryBytes());
        NodeSpec.Builder spec = NodeSpec.newBuilder()
                .setCpuModel(machine.cpuModel())
                .setSockets(machine.sockets())
                .setMemoryBytes(memory)
                .setOs(machine.os())
                .setHostname(machine.hostname())
                .addAllNics(machine.nics())
                .addAllStorage(machine.storage())
                .addAllDomains(offer.domains())
                .addAllNuma(numa(cores, memory, machine.memoryBytes()));
        TreeMap<String, String> labels = new TreeMap<>();
        machine.traits().forEach(trait -> labels.put(trait.getKey(), trait.getValue()));
        labels.putAll(offer.labels());
        labels.forEach(
                (key, value) -> spec.addLabels(Label.newBuilder().setKey(key).setValue(value)));
        return spec.build();
    }

    private NavigableSet<Integer> offeredCores() {
        NavigableSet<Integer> usable = CpuList.parse("online cores", text(sysfs.resolve("devices/system/cpu/online")));
        String allowed = allowedCores();
        if (!allowed.isEmpty()) {
            usable.retainAll(CpuList.parse("allowed cores", allowed));
        }
        if (offer.cores().isEmpty()) {
            return usable;
        }
        NavigableSet<Integer> missing = new TreeSet<>(offer.cores());
        missing.removeAll(usable);
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException(Names.message(
                    "resources.cores",
                    CpuList.format(missing),
                    "cores that are online and allowed: " + CpuList.format(usable)));
        }
        return offer.cores();
    }

    private String allowedCores() {
        return text(proc.resolve("self/status"))
                .lines()
                .filter(line -> line.startsWith("Cpus_allowed_list:"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse("");
    }

    private long offeredMemory(long allBytes) {
        long reserve = Math.max(RESERVE_BYTES_MIN, allBytes / RESERVE_PART);
        long memory = offer.memoryBytes().orElse(Math.max(0, allBytes - reserve));
        if (memory > allBytes) {
            throw new IllegalArgumentException(Names.message(
                    "resources.memory", Long.toString(memory), "at most the machine's " + allBytes + " bytes"));
        }
        return memory;
    }

    private List<NumaNode> numa(NavigableSet<Integer> cores, long offeredBytes, long allBytes) {
        List<NumaNode> found = new ArrayList<>();
        for (Path folder : numaFolders()) {
            NavigableSet<Integer> here = CpuList.parse("cores of " + folder, text(folder.resolve("cpulist")));
            here.retainAll(cores);
            if (here.isEmpty()) {
                continue;
            }
            double share = allBytes == 0 ? 0 : (double) offeredBytes / allBytes;
            found.add(NumaNode.newBuilder()
                    .setId(Integer.parseInt(folder.getFileName().toString().substring("node".length())))
                    .setSocket(socket(here.first()))
                    .addAllCoreIds(here)
                    .setMemoryBytes((long) (numaMemory(folder) * share))
                    .build());
        }
        found.sort(Comparator.comparingInt(NumaNode::getId));
        return found.isEmpty()
                ? List.of(NumaNode.newBuilder()
                        .addAllCoreIds(cores)
                        .setMemoryBytes(offeredBytes)
                        .build())
                : found;
    }

    private List<Path> numaFolders() {
        List<Path> folders = new ArrayList<>();
        Path root = sysfs.resolve("devices/system/node");
        if (!Files.isDirectory(root)) {
            return folders;
        }
        try (DirectoryStream<Path> found = Files.newDirectoryStream(root, "node[0-9]*")) {
            found.forEach(folders::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return folders;
    }

    private int socket(int core) {
        String id = text(sysfs.resolve("devices/system/cpu/cpu" + core + "/topology/physical_package_id"));
        return id.isBlank() ? 0 : Math.max(0, Integer.parseInt(id.strip()));
    }

    /** From a line such as {@code Node 0 MemTotal: 24684084 kB}. */
    private static long numaMemory(Path folder) {
        return text(folder.resolve("meminfo"))
                .lines()
                .filter(line -> line.contains("MemTotal:"))
                .map(line ->
                        line.substring(line.indexOf(':') + 1).replace("kB", "").strip())
                .mapToLong(kibibytes -> Long.parseLong(kibibytes) * KIBI)
                .findFirst()
                .orElse(0);
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            return "";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
