package io.surestate.agent.cgroup;

import io.surestate.agent.discovery.CpuList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeSet;

/** A folder in the hierarchy of each controller of the kernel's first version. */
final class GroupV1 implements ControlGroup {
    private static final long PERIOD_MICROS = 100_000;

    private final NavigableMap<String, Path> folders;
    private final List<Path> places;

    /**
     * Names a group.
     *
     * @param folders by controller: any of cpu, cpuset, devices, memory, pids
     * @param places in all hierarchies, those too in which only an OCI runtime makes it
     */
    GroupV1(NavigableMap<String, Path> folders, List<Path> places) {
        this.folders = folders;
        this.places = places;
    }

    @Override
    public void create(Bounds bounds) throws IOException {
        try {
            place("cpuset.cpus", bounds.cores());
            place("cpuset.mems", bounds.numaPlaces());
            if (bounds.cpuMilli() > 0) {
                set("cpu", "cpu.cfs_period_us", Long.toString(PERIOD_MICROS));
                set("cpu", "cpu.cfs_quota_us", Long.toString(bounds.cpuMilli() * PERIOD_MICROS / 1_000));
            }
            if (bounds.memoryBytes() > 0) {
                set("memory", "memory.limit_in_bytes", Long.toString(bounds.memoryBytes()));
            }
            if (bounds.processes() > 0) {
                set("pids", "pids.max", Long.toString(bounds.processes()));
            }
            for (DeviceNode device : bounds.denied()) {
                set("devices", "devices.deny", device + " rwm");
            }
        } catch (IOException e) {
            remove();
            throw e;
        }
    }

    /** Nothing runs in a group whose cores and places are not said, not even what may run anywhere. */
    private void place(String file, Collection<Integer> numbers) throws IOException {
        Path folder = folders.get("cpuset");
        if (folder != null) {
            Files.createDirectories(folder);
            set(
                    "cpuset",
                    file,
                    numbers.isEmpty() ? GroupFolder.get(folder.resolve(".."), file) : CpuList.format(numbers));
        }
    }

    /** A group is made in the hierarchies that are needed only: each costs the start of the task. */
    private void set(String controller, String file, String value) throws IOException {
        Path folder = folders.get(controller);
        if (folder != null) {
            Files.createDirectories(folder);
            GroupFolder.set(folder, file, value);
        }
    }

    @Override
    public List<Path> doors() {
        return folders.values().stream()
                .filter(Files::isDirectory)
                .map(folder -> folder.resolve(GroupFolder.PROCESSES))
                .toList();
    }

    @Override
    public List<Long> processes() throws IOException {
        // Who enters goes through all doors one after the other, so that any of them may be the only one yet.
        Set<Long> found = new TreeSet<>();
        for (Path folder : folders.values()) {
            if (Files.isDirectory(folder)) {
                found.addAll(GroupFolder.processes(folder));
            }
        }
        return List.copyOf(found);
    }

    @Override
    public void choke() throws IOException {
        Path folder = folders.get("pids");
        if (folder != null && Files.isDirectory(folder)) {
            GroupFolder.set(folder, "pids.max", "0");
        }
    }

    @Override
    public Shortage shortage() {
        Path folder = folders.get("memory");
        if (folder == null || !Files.isDirectory(folder)) {
            return Shortage.NONE;
        }
        if (GroupFolder.count(folder, "memory.oom_control", "oom_kill") > 0) {
            return Shortage.KILLED;
        }
        // A kill in a group within this one is not counted here, and that group may be gone.
        try {
            return GroupFolder.get(folder, "memory.failcnt").equals("0") ? Shortage.NONE : Shortage.MET;
        } catch (IOException e) {
            return Shortage.NONE;
        }
    }

    @Override
    public boolean remove() {
        return places.stream().map(GroupFolder::remove).reduce(true, Boolean::logicalAnd);
    }
}
