package io.surestate.agent.oci;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.surestate.agent.cgroup.DeviceNode;
import io.surestate.api.v1.Mount;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;

/**
 * What an OCI runtime is told of a task. Pure. Source: OCI Runtime Specification 1.1, configuration for Linux.
 *
 * @param command program and arguments
 * @param environment all that the program gets
 * @param folder that it is in, within the image
 * @param uid that it runs as; likewise gid
 * @param mounts beside the usual ones
 * @param devices files that it may open beside the usual ones
 * @param ownNetwork it sees no network but a loopback of its own
 * @param lockedMemory it may lock as much memory as it has, as RDMA does
 * @param controlGroup relative to the kernel's hierarchies; empty = the runtime's choice
 */
public record ContainerSpec(
        List<String> command,
        Map<String, String> environment,
        String folder,
        int uid,
        int gid,
        List<Mount> mounts,
        NavigableMap<String, DeviceNode> devices,
        boolean ownNetwork,
        boolean lockedMemory,
        String controlGroup) {
    private static final ObjectMapper JSON = new ObjectMapper();
    /** The kernel's RLIM_INFINITY. */
    private static final BigInteger UNLIMITED = BigInteger.TWO.pow(64).subtract(BigInteger.ONE);

    private static final List<String> CAPABILITIES = List.of(
            "CAP_CHOWN",
            "CAP_DAC_OVERRIDE",
            "CAP_FOWNER",
            "CAP_FSETID",
            "CAP_KILL",
            "CAP_NET_BIND_SERVICE",
            "CAP_SETFCAP",
            "CAP_SETGID",
            "CAP_SETPCAP",
            "CAP_SETUID",
            "CAP_SYS_CHROOT");
    /** What tells of the machine, or changes it, from within {@code /proc} and {@code /sys}. */
    private static final List<String> HIDDEN = List.of(
            "/proc/acpi",
            "/proc/kcore",
            "/proc/keys",
            "/proc/latency_stats",
            "/proc/sched_debug",
            "/proc/scsi",
            "/proc/timer_list",
            "/proc/timer_stats",
            "/sys/firmware");

    private static final List<String> UNCHANGED =
            List.of("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger");

    /** The content of {@code config.json} in a bundle whose root file system is {@code rootfs}. */
    public String text() {
        ObjectNode spec = JSON.createObjectNode();
        spec.put("ociVersion", "1.0.2");
        spec.putObject("root").put("path", "rootfs").put("readonly", false);
        process(spec.putObject("process"));
        mounts(spec.putArray("mounts"));
        linux(spec.putObject("linux"));
        try {
            return JSON.writerWithDefaultPrettyPrinter().writeValueAsString(spec);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private void process(ObjectNode process) {
        process.put("terminal", false).put("cwd", folder).put("noNewPrivileges", true);
        process.putObject("user").put("uid", uid).put("gid", gid);
        strings(process.putArray("args"), command);
        strings(
                process.putArray("env"),
                environment.entrySet().stream()
                        .map(variable -> variable.getKey() + "=" + variable.getValue())
                        .toList());
        ObjectNode capabilities = process.putObject("capabilities");
        for (String set : List.of("bounding", "effective", "permitted")) {
            ArrayNode all = capabilities.putArray(set);
            if (uid == 0 || set.equals("bounding")) {
                strings(all, CAPABILITIES);
            }
        }
        if (lockedMemory) {
            process.putArray("rlimits")
                    .addObject()
                    .put("type", "RLIMIT_MEMLOCK")
                    .put("hard", UNLIMITED)
                    .put("soft", UNLIMITED);
        }
    }

    private void mounts(ArrayNode all) {
        mount(all, "/proc", "proc", "proc", "nosuid", "noexec", "nodev");
        mount(all, "/dev", "tmpfs", "tmpfs", "nosuid", "strictatime", "mode=755", "size=65536k");
        mount(all, "/dev/pts", "devpts", "devpts", "nosuid", "noexec", "newinstance", "ptmxmode=0666", "mode=0620");
        // As large as the task's memory allows: data loaders share much by it.
        mount(all, "/dev/shm", "tmpfs", "shm", "nosuid", "noexec", "nodev", "mode=1777");
        mount(all, "/dev/mqueue", "mqueue", "mqueue", "nosuid", "noexec", "nodev");
        mount(all, "/sys", "sysfs", "sysfs", "nosuid", "noexec", "nodev", "ro");
        for (Mount mount : mounts) {
            mount(
                    all,
                    mount.getTarget().isEmpty() ? mount.getSource() : mount.getTarget(),
                    "bind",
                    mount.getSource(),
                    "rbind",
                    "rprivate",
                    "nosuid",
                    "nodev",
                    mount.getReadOnly() ? "ro" : "rw");
        }
    }

    private static void mount(ArrayNode all, String destination, String type, String source, String... options) {
        ObjectNode mount = all.addObject();
        mount.put("destination", destination).put("type", type).put("source", source);
        strings(mount.putArray("options"), List.of(options));
    }

    private void linux(ObjectNode linux) {
        ArrayNode namespaces = linux.putArray("namespaces");
        for (String kind : List.of("pid", "ipc", "mount")) {
            namespaces.addObject().put("type", kind);
        }
        if (ownNetwork) {
            namespaces.addObject().put("type", "network");
        }
        if (!controlGroup.isEmpty()) {
            linux.put("cgroupsPath", "/" + controlGroup);
        }
        strings(linux.putArray("maskedPaths"), HIDDEN);
        strings(linux.putArray("readonlyPaths"), UNCHANGED);
        ArrayNode rules = linux.putObject("resources").putArray("devices");
        rules.addObject().put("allow", false).put("access", "rwm");
        ArrayNode nodes = linux.putArray("devices");
        devices.forEach((file, device) -> {
            String type = device.block() ? "b" : "c";
            rules.addObject()
                    .put("allow", true)
                    .put("type", type)
                    .put("major", device.major())
                    .put("minor", device.minor())
                    .put("access", "rw");
            nodes.addObject()
                    .put("path", file)
                    .put("type", type)
                    .put("major", device.major())
                    .put("minor", device.minor())
                    .put("fileMode", 0666)
                    .put("uid", 0)
                    .put("gid", 0);
        });
    }

    private static void strings(ArrayNode array, List<String> texts) {
        texts.forEach(array::add);
    }
}
