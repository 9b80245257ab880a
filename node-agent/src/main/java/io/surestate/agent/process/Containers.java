package io.surestate.agent.process;

import io.surestate.agent.cgroup.DeviceNode;
import io.surestate.agent.oci.AllowedFolders;
import io.surestate.agent.oci.ContainerSpec;
import io.surestate.agent.oci.ImageException;
import io.surestate.agent.oci.ImageStore;
import io.surestate.agent.oci.RootFs;
import io.surestate.api.ImageName;
import io.surestate.api.Names;
import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.Mount;
import io.surestate.api.v1.NetworkMode;
import io.surestate.api.v1.TaskGroup;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Runs tasks from images: an OCI runtime becomes the task, on a writable layer of the task's own over the image's files. For threads that may be slow.
 *
 * @param images of the node
 * @param runtime program that knows {@code run}, {@code exec} and {@code delete} as runc does
 * @param state folder in which it keeps what it runs
 * @param mounts below which tasks may mount
 */
public record Containers(ImageStore images, Path runtime, Path state, AllowedFolders mounts) {
    private static final String OVERLAY =
            "mount -t overlay overlay -o \"lowerdir=$1,upperdir=$2,workdir=$3\" \"$4\" && shift 4 && exec \"$@\"";

    /**
     * Whom and with what the task's program is started.
     *
     * @param environment all that the program gets, made of what the image comes with
     * @param folders of the task's own, at the same paths within
     * @param controlGroup relative to the kernel's hierarchies; empty = the runtime's choice
     */
    record Start(
            Accounts.Numbers account,
            UnaryOperator<Map<String, String>> environment,
            List<Path> folders,
            GrantedDevices devices,
            String controlGroup) {}

    /** Makes the bundle. The command that becomes the task comes back. @throws ImageException if the image or a mount is refused */
    List<String> prepare(DesiredTask task, TaskFolder folder, Start start) throws IOException {
        TaskGroup group = task.getGroup();
        RootFs image = images.resolve(ImageName.parse(group.getImage())
                .orElseThrow(() -> new ImageException(Names.message("image", group.getImage(), "an image's name"))));
        String lower = image.folder().toString();
        if (lower.matches(".*[,:\\\\].*")) {
            throw new ImageException(Names.message("image", lower, "a path without comma, colon and backslash"));
        }
        for (Path made : List.of(folder.upper(), folder.overlayWork(), folder.rootfs())) {
            Files.createDirectories(made);
        }
        Files.writeString(folder.image(), image.digest() + "\n", StandardCharsets.US_ASCII);
        Files.writeString(
                folder.bundle().resolve("config.json"), spec(task, image, start).text());
        return List.of(
                "unshare",
                "--mount",
                "sh",
                "-c",
                OVERLAY,
                "sh",
                lower,
                folder.upper().toString(),
                folder.overlayWork().toString(),
                folder.rootfs().toString(),
                runtime.toString(),
                "--root",
                state.toString(),
                "run",
                "--bundle",
                folder.bundle().toString(),
                folder.id());
    }

    private ContainerSpec spec(DesiredTask task, RootFs image, Start start) throws IOException {
        TaskGroup group = task.getGroup();
        return new ContainerSpec(
                group.getCommandList(),
                start.environment().apply(image.environment()),
                group.getWorkingDir().isEmpty() ? start.folders().get(0).toString() : group.getWorkingDir(),
                start.account().uid(),
                start.account().gid(),
                mounts(group, start.folders()),
                devices(start.devices()),
                group.getNetwork() == NetworkMode.NETWORK_MODE_NONE,
                group.getNetwork() == NetworkMode.NETWORK_MODE_RDMA,
                start.controlGroup());
    }

    private List<Mount> mounts(TaskGroup group, List<Path> folders) throws IOException {
        List<Mount> all = new ArrayList<>();
        for (Path folder : folders) {
            all.add(Mount.newBuilder().setSource(folder.toString()).build());
        }
        if (group.getNetwork() != NetworkMode.NETWORK_MODE_NONE) {
            for (String file : List.of("/etc/resolv.conf", "/etc/hosts")) {
                if (Files.exists(Path.of(file))) {
                    all.add(Mount.newBuilder().setSource(file).setReadOnly(true).build());
                }
            }
        }
        for (Mount mount : group.getMountsList()) {
            all.add(mount.toBuilder()
                    .setTarget(mount.getTarget().isEmpty() ? mount.getSource() : mount.getTarget())
                    .setSource(allowed(mount.getSource()).toString())
                    .build());
        }
        return all;
    }

    private Path allowed(String source) throws IOException {
        Path path = Path.of(source);
        if (!Files.exists(path)) {
            throw new ImageException(Names.message("mounts.source", source, "a folder or file on this node"));
        }
        Path real = path.toRealPath();
        if (mounts.hold(real)) {
            return real;
        }
        throw new ImageException(
                Names.message("mounts.source", source, "below one of drivers.mounts of this node's agent: " + mounts));
    }

    private static NavigableMap<String, DeviceNode> devices(GrantedDevices granted) {
        NavigableMap<String, DeviceNode> nodes = new TreeMap<>();
        granted.files().forEach(file -> DeviceNode.of(Path.of(file)).ifPresent(node -> nodes.put(file, node)));
        return nodes;
    }

    /** Has the runtime let go of what it still keeps of a task that has ended. */
    void forget(String allocationId) throws IOException {
        if (Files.exists(state.resolve(allocationId))) {
            Process process = new ProcessBuilder(
                            runtime.toString(), "--root", state.toString(), "delete", "--force", allocationId)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            try {
                process.waitFor();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Digests of the images that the tasks in these folders run from. */
    public static Set<String> used(Path tasksDir) {
        Set<String> digests = new HashSet<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(tasksDir)) {
            for (Path folder : folders) {
                Path image = new TaskFolder(folder).image();
                if (Files.exists(image)) {
                    digests.add(
                            Files.readString(image, StandardCharsets.US_ASCII).strip());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return digests;
    }

    /** The first that is installed; empty = none is. */
    public static Optional<Path> find(List<String> names) {
        return names.stream().flatMap(name -> Tools.path(name).stream()).findFirst();
    }
}
