package io.surestate.agent.process;

import io.surestate.api.v1.Claim;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.NetworkMode;
import io.surestate.api.v1.Nic;
import io.surestate.api.v1.NicShare;
import io.surestate.api.v1.NodeSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Which of a node's devices a task may see. Immutable.
 *
 * @param devices that it holds, ascending by ordinal
 * @param files what is opened to use them
 * @param deniedFiles what is opened to use the node's others
 * @param vendors of all accelerators of the node
 */
record GrantedDevices(
        List<Device> devices, NavigableSet<String> files, NavigableSet<String> deniedFiles, Set<String> vendors) {
    private static final String NVIDIA = "NVIDIA";
    private static final String AMD = "AMD";
    private static final String HUAWEI = "Huawei";
    private static final Pattern DAVINCI = Pattern.compile("/dev/davinci(\\d+)");

    static GrantedDevices of(Claim claim, NetworkMode network, NodeSpec node) {
        Set<Integer> held =
                claim.getDevicesList().stream().map(DeviceShare::getOrdinal).collect(Collectors.toSet());
        List<Device> devices = new ArrayList<>();
        NavigableSet<String> files = new TreeSet<>();
        NavigableSet<String> denied = new TreeSet<>();
        for (Device device : node.getDevicesList()) {
            boolean granted = held.contains(device.getOrdinal());
            (granted ? files : denied).addAll(device.getFilesList());
            if (granted) {
                devices.add(device);
            }
        }
        Set<String> nics = network == NetworkMode.NETWORK_MODE_RDMA
                ? claim.getNicsList().stream().map(NicShare::getNic).collect(Collectors.toSet())
                : Set.of();
        for (Nic nic : node.getNicsList()) {
            (nics.contains(nic.getName()) ? files : denied).addAll(nic.getFilesList());
        }
        denied.removeAll(files);
        return new GrantedDevices(
                List.copyOf(devices),
                Collections.unmodifiableNavigableSet(files),
                Collections.unmodifiableNavigableSet(denied),
                node.getDevicesList().stream().map(Device::getVendor).collect(Collectors.toSet()));
    }

    /**
     * What the vendors' libraries read to see these devices only; said also where a task holds none of a kind that the node has, because not to say it means
     * all of them.
     */
    Map<String, String> environment() {
        Map<String, String> env = new LinkedHashMap<>();
        if (vendors.contains(NVIDIA)) {
            env.put("CUDA_VISIBLE_DEVICES", ids(NVIDIA));
            env.put("NVIDIA_VISIBLE_DEVICES", ids(NVIDIA).isEmpty() ? "void" : ids(NVIDIA));
        }
        if (vendors.contains(AMD)) {
            env.put("ROCR_VISIBLE_DEVICES", ids(AMD));
        }
        if (vendors.contains(HUAWEI)) {
            env.put("ASCEND_VISIBLE_DEVICES", chips());
            env.put("ASCEND_RT_VISIBLE_DEVICES", chips());
        }
        return env;
    }

    private String ids(String vendor) {
        return devices.stream()
                .filter(device -> device.getVendor().equals(vendor))
                .map(device -> device.getHardwareId().isEmpty()
                        ? Integer.toString(device.getOrdinal())
                        : device.getHardwareId())
                .collect(Collectors.joining(","));
    }

    /** Ascend's libraries know chips by number only, as their files are named. */
    private String chips() {
        return devices.stream()
                .filter(device -> device.getVendor().equals(HUAWEI))
                .map(device -> device.getFilesList().stream()
                        .map(DAVINCI::matcher)
                        .filter(Matcher::matches)
                        .map(matcher -> matcher.group(1))
                        .findFirst()
                        .orElse(Integer.toString(device.getOrdinal())))
                .collect(Collectors.joining(","));
    }
}
