package io.surestate.agent.cgroup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The control groups of one node's allocations: {@code PARENT/NODE_ID/ALLOCATION} in each hierarchy that the kernel offers. Safe between threads. */
public final class ControlGroups implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ControlGroups.class);
    private static final List<String> CONTROLLERS = List.of("cpu", "cpuset", "devices", "memory", "pids");
    private static final List<String> NEEDED = List.of("cpuset", "memory", "pids");
    private static final int MOUNT_POINT_FIELD = 4;

    private final boolean unified;
    private final NavigableMap<String, Path> homes;

    private final List<Path> places;
    private final String place;

    /**
     * Names what is there.
     *
     * @param homes of the node in the hierarchies that are used, by controller
     * @param places of the node in all hierarchies
     * @param place of the node, relative to each
     */
    private ControlGroups(boolean unified, NavigableMap<String, Path> homes, List<Path> places, String place) {
        this.unified = unified;
        this.homes = homes;
        this.places = places;
        this.place = place;
    }

    /**
     * Looks where the kernel has its hierarchies and makes the node's own place in each.
     *
     * @param proc {@code /proc}
     * @param parent relative to the mount points
     * @throws IOException saying why there can be none: no hierarchy with the controllers, or no right to it
     */
    public static ControlGroups open(Path proc, String parent, String nodeId) throws IOException {
        List<String> mounts = Files.readAllLines(proc.resolve("self/mountinfo"), StandardCharsets.UTF_8);
        Optional<Path> unified = unified(mounts);
        NavigableMap<String, Path> homes = new TreeMap<>();
        if (unified.isPresent()) {
            homes.put("", homeV2(unified.get(), parent, nodeId));
        } else {
            NavigableMap<String, Path> found = hierarchies(mounts);
            if (!found.keySet().containsAll(NEEDED)) {
                throw new IOException(
                        "control groups: " + (found.isEmpty() ? "none" : String.join(", ", found.keySet()))
                                + " (expected: " + String.join(", ", NEEDED) + ")");
            }
            for (String controller : found.keySet()) {
                homes.put(controller, homeV1(controller, found.get(controller), parent, nodeId));
            }
        }
        String place = parent + "/" + nodeId;
        List<Path> places = mounts.stream()
                .filter(mount -> type(mount).startsWith("cgroup"))
                .map(mount -> Path.of(mountPoint(mount)).resolve(place))
                .toList();
        return new ControlGroups(unified.isPresent(), homes, places, place);
    }

    /** {@code v1} or {@code v2}. */
    public String version() {
        return unified ? "v2" : "v1";
    }

    /** The group of one allocation, whose id is plain enough to be a folder's name. */
    public ControlGroup of(String allocationId) {
        NavigableMap<String, Path> folders = new TreeMap<>();
        homes.forEach((controller, home) -> folders.put(controller, home.resolve(allocationId)));
        return unified
                ? new GroupV2(folders.values().iterator().next())
                : new GroupV1(
                        folders,
                        places.stream().map(home -> home.resolve(allocationId)).toList());
    }

    /** Where an allocation's group is, relative to the hierarchies. */
    public String place(String allocationId) {
        return place + "/" + allocationId;
    }

    /** Allocations that have a group, or a part of one. */
    public Set<String> present() throws IOException {
        Set<String> found = new HashSet<>();
        for (Path home : places) {
            for (Path child : GroupFolder.children(home)) {
                found.add(child.getFileName().toString());
            }
        }
        return found;
    }

    /** Removes the node's own places where no group is left in them. */
    @Override
    public void close() {
        for (Path home : places) {
            try {
                Files.deleteIfExists(home);
            } catch (IOException stillUsed) {
                LOG.debug("event=control-groups-kept folder={}", home);
            }
        }
    }

    private static Path homeV1(String controller, Path mount, String parent, String nodeId) throws IOException {
        Path folder = mount;
        for (Path step : Path.of(parent).resolve(nodeId)) {
            Path child = folder.resolve(step);
            Files.createDirectories(child);
            if (controller.equals("cpuset")) {
                for (String file : List.of("cpuset.cpus", "cpuset.mems")) {
                    if (GroupFolder.get(child, file).isEmpty()) {
                        GroupFolder.set(child, file, GroupFolder.get(folder, file));
                    }
                }
            }
            folder = child;
        }
        return folder;
    }

    private static Path homeV2(Path mount, String parent, String nodeId) throws IOException {
        Path folder = mount;
        for (Path step : Path.of(parent).resolve(nodeId)) {
            delegate(folder);
            folder = folder.resolve(step);
            Files.createDirectories(folder);
        }
        delegate(folder);
        return folder;
    }

    /** Lets the groups below have what is needed. */
    private static void delegate(Path folder) throws IOException {
        Set<String> there = words(folder, "cgroup.subtree_control");
        for (String controller : CONTROLLERS) {
            if (words(folder, "cgroup.controllers").contains(controller) && !there.contains(controller)) {
                GroupFolder.set(folder, "cgroup.subtree_control", "+" + controller);
            }
        }
    }

    private static Set<String> words(Path folder, String file) throws IOException {
        return Set.copyOf(Arrays.asList(GroupFolder.get(folder, file).split("\\s+")));
    }

    /** Where the second version is mounted and has the controllers; on a hybrid machine it has not. */
    private static Optional<Path> unified(List<String> mounts) throws IOException {
        for (String mount : mounts) {
            if (type(mount).equals("cgroup2")) {
                Path folder = Path.of(mountPoint(mount));
                if (words(folder, "cgroup.controllers").containsAll(NEEDED)) {
                    return Optional.of(folder);
                }
            }
        }
        return Optional.empty();
    }

    private static NavigableMap<String, Path> hierarchies(List<String> mounts) {
        NavigableMap<String, Path> found = new TreeMap<>();
        for (String mount : mounts) {
            if (type(mount).equals("cgroup")) {
                String options = mount.substring(mount.lastIndexOf(' ') + 1);
                for (String option : options.split(",", -1)) {
                    if (CONTROLLERS.contains(option)) {
                        found.putIfAbsent(option, Path.of(mountPoint(mount)));
                    }
                }
            }
        }
        return found;
    }

    /** A line of {@code mountinfo} has a varying number of fields before the dash; see proc(5). */
    private static String type(String mount) {
        return mount.substring(mount.indexOf(" - ") + 3).split(" ", 2)[0];
    }

    private static String mountPoint(String mount) {
        return mount.split(" ", -1)[MOUNT_POINT_FIELD];
    }
}
