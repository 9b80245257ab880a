package io.surestate.manifest.hardware;

import io.surestate.api.Limits;
import io.surestate.api.v1.ComputeUnit;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.Label;
import io.surestate.api.v1.NetworkDescription;
import io.surestate.api.v1.Nic;
import io.surestate.api.v1.NodeDescription;
import io.surestate.api.v1.Storage;
import io.surestate.api.v1.StorageDescription;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A node by what is in it. Each CPU is a socket and a NUMA place with cores numbered one after the other; an interconnect links all units
 * of its line with each other; latency and operations a second, for which nodes have no field, are labels.
 */
final class DescribedNode {
    private static final Pattern NVLINK = Pattern.compile("nvlink *([0-9])(?:\\.[0-9])?");
    private static final Pattern LATENCY = Pattern.compile("[<~]? ?[0-9]{1,9}(?:\\.[0-9]{1,6})? ?(?:ns|us|\u00b5s|ms)");
    private static final Pattern COUNT = Pattern.compile("([0-9]{1,15}(?:\\.[0-9]{1,6})?) ?([kKMG]?)");
    private static final Map<String, Integer> ZEROS = Map.of("", 0, "k", 3, "K", 3, "M", 6, "G", 9);
    private static final List<String> KINDS = List.of("CPU", "GPU", "NPU", "DPU", "FPGA", "QPU");
    private static final String CPU = "CPU";
    private static final int SOCKETS_MAX = 64;

    private final HardwareSource source;
    private final NodeDescription description;
    private final NodeDraft draft;
    private int nextCore;

    DescribedNode(HardwareSource source, NodeDescription description) {
        this.source = source;
        this.description = description;
        this.draft = new NodeDraft(source);
    }

    Hardware read() {
        draft.spec().setMemoryBytes(description.getMemoryBytes());
        for (int i = 0; i < description.getComputeUnitsCount(); i++) {
            unit("compute_units[" + i + "]", description.getComputeUnits(i));
        }
        if (description.hasNetwork()) {
            network(description.getNetwork());
        }
        if (description.hasStorage()) {
            storage(description.getStorage());
        }
        return draft.build();
    }

    private void unit(String field, ComputeUnit unit) {
        String type = unit.getType().toUpperCase(Locale.ROOT);
        if (!KINDS.contains(type)) {
            throw bad(field + ".type", unit.getType(), "one of " + String.join(", ", KINDS));
        }
        int max = type.equals(CPU) ? SOCKETS_MAX : Limits.DEVICES_PER_NODE_MAX;
        if (unit.getQuantity() < 1 || unit.getQuantity() > max) {
            throw bad(field + ".quantity", Integer.toString(unit.getQuantity()), "1 to " + max);
        }
        if (type.equals(CPU)) {
            sockets(field, unit);
        } else {
            devices(field, DeviceKind.valueOf("DEVICE_KIND_" + type), unit);
        }
    }

    private void sockets(String field, ComputeUnit unit) {
        long cores = (long) unit.getCoreCount() * unit.getQuantity();
        if (unit.getCoreCount() < 0 || cores + nextCore > Limits.CORES_PER_NODE_MAX) {
            throw bad(
                    field + ".core_count",
                    Integer.toString(unit.getCoreCount()),
                    "0 to " + Limits.CORES_PER_NODE_MAX + " in all");
        }
        for (int i = 0; i < unit.getQuantity(); i++) {
            int socket = draft.spec().getSockets();
            BitSet own = new BitSet();
            own.set(nextCore, nextCore + unit.getCoreCount());
            nextCore += unit.getCoreCount();
            draft.place(socket).setSocket(socket).setMemoryBytes(unit.getMemoryBytes());
            draft.cores(socket, own);
            draft.spec().setSockets(socket + 1);
        }
        draft.spec().setCpuModel(unit.getModel());
        draft.note(
                "core_count is that of each CPU; each CPU is taken for one NUMA place, its cores numbered one after the other");
    }

    private void devices(String field, DeviceKind kind, ComputeUnit unit) {
        if (unit.getCoreCount() != 0) {
            throw bad(field + ".core_count", Integer.toString(unit.getCoreCount()), "none but of a CPU");
        }
        int first = draft.spec().getDevicesCount();
        for (int i = 0; i < unit.getQuantity(); i++) {
            draft.device()
                    .setKind(kind)
                    .setModel(unit.getModel())
                    .setVendor(unit.getVendor())
                    .setMemoryBytes(unit.getMemoryBytes());
        }
        if (!unit.getInterconnect().isEmpty()) {
            connect(first, draft.spec().getDevicesCount(), unit);
        }
    }

    private void connect(int first, int end, ComputeUnit unit) {
        String text = unit.getInterconnect().strip();
        Matcher nvlink = NVLINK.matcher(text.toLowerCase(Locale.ROOT));
        String type = nvlink.matches() ? "NVLINK" : text.split(" ", 2)[0].toUpperCase(Locale.ROOT);
        OptionalLong bits =
                nvlink.matches() ? LinkSpeeds.wholeNvlink(Integer.parseInt(nvlink.group(1))) : OptionalLong.empty();
        draft.note(
                bits.isPresent()
                        ? text
                                + ": each pair is taken to reach what all links of a GPU of this generation carry in one direction"
                        : text + ": its bandwidth is not known");
        for (int from = first; from < end; from++) {
            for (int to = from + 1; to < end; to++) {
                draft.link(from, to, type, bits.orElse(0));
            }
        }
    }

    private void network(NetworkDescription network) {
        String fabric = network.getFabric().toLowerCase(Locale.ROOT);
        draft.spec()
                .addNics(Nic.newBuilder()
                        .setName("net0")
                        .setBitsPerSecond(network.getBitsPerSecond())
                        .setRdma(fabric.contains("roce") || fabric.contains("infiniband"))
                        .setNumaNode(NodeDraft.UNKNOWN));
        if (!network.getLatency().isEmpty()
                && !LATENCY.matcher(network.getLatency()).matches()) {
            throw bad("network.latency", network.getLatency(), "a time such as 500ns, <500ns or 1.5us");
        }
        label("network.fabric", network.getFabric());
        label("network.latency", network.getLatency());
    }

    private void storage(StorageDescription storage) {
        draft.spec()
                .addStorage(Storage.newBuilder()
                        .setName("storage0")
                        .setType(storage.getType())
                        .setCapacityBytes(storage.getCapacityBytes()));
        if (!storage.getIops().isEmpty()) {
            label("storage.iops", Long.toString(count("storage.iops", storage.getIops())));
        }
    }

    private long count(String field, String text) {
        Matcher form = COUNT.matcher(text);
        if (form.matches()) {
            BigDecimal count = new BigDecimal(form.group(1)).scaleByPowerOfTen(ZEROS.getOrDefault(form.group(2), 0));
            boolean whole = count.stripTrailingZeros().scale() <= 0;
            if (whole && count.compareTo(BigDecimal.valueOf(Limits.NAMED_AMOUNT_MAX)) <= 0) {
                return count.setScale(0, RoundingMode.UNNECESSARY).longValueExact();
            }
        }
        throw bad(field, text, "a whole count such as 2M or 500k, at most 2^53");
    }

    private void label(String key, String value) {
        if (!value.isEmpty()) {
            draft.spec().addLabels(Label.newBuilder().setKey(key).setValue(value));
        }
    }

    private HardwareException bad(String field, String value, String expected) {
        return source.at(0, field, value, expected);
    }
}
