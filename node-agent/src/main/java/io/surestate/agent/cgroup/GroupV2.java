package io.surestate.agent.cgroup;

import io.surestate.agent.discovery.CpuList;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** One folder of the kernel's second version, for all controllers. Device nodes are not denied here: the kernel wants a program of its own for that. */
final class GroupV2 implements ControlGroup {
    private static final long PERIOD_MICROS = 100_000;

    private final Path folder;

    GroupV2(Path folder) {
        this.folder = folder;
    }

    @Override
    public void create(Bounds bounds) throws IOException {
        try {
            Files.createDirectories(folder);
            if (!bounds.cores().isEmpty()) {
                GroupFolder.set(folder, "cpuset.cpus", CpuList.format(bounds.cores()));
            }
            if (!bounds.numaPlaces().isEmpty()) {
                GroupFolder.set(folder, "cpuset.mems", CpuList.format(bounds.numaPlaces()));
            }
            if (bounds.cpuMilli() > 0) {
                GroupFolder.set(folder, "cpu.max", bounds.cpuMilli() * PERIOD_MICROS / 1_000 + " " + PERIOD_MICROS);
            }
            if (bounds.memoryBytes() > 0) {
                GroupFolder.set(folder, "memory.max", Long.toString(bounds.memoryBytes()));
            }
            if (bounds.processes() > 0) {
                GroupFolder.set(folder, "pids.max", Long.toString(bounds.processes()));
            }
        } catch (IOException e) {
            remove();
            throw e;
        }
    }

    @Override
    public List<Path> doors() {
        return List.of(folder.resolve(GroupFolder.PROCESSES));
    }

    @Override
    public List<Long> processes() throws IOException {
        return GroupFolder.processes(folder);
    }

    @Override
    public void choke() throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        if (Files.exists(folder.resolve("cgroup.kill"))) {
            GroupFolder.set(folder, "cgroup.kill", "1");
        } else {
            GroupFolder.set(folder, "pids.max", "0");
        }
    }

    @Override
    public Shortage shortage() {
        if (GroupFolder.count(folder, "memory.events", "oom_kill") > 0) {
            return Shortage.KILLED;
        }
        return GroupFolder.count(folder, "memory.events", "max") > 0 ? Shortage.MET : Shortage.NONE;
    }

    @Override
    public boolean remove() {
        return GroupFolder.remove(folder);
    }
}
