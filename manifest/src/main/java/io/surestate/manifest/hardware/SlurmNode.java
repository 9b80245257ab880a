package io.surestate.manifest.hardware;

import io.surestate.api.Limits;
import io.surestate.api.v1.Countable;
import io.surestate.api.v1.DeviceKind;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A {@code NodeName=} line as hardware. Cores carry Slurm's own numbers, socket by socket; the file names no NUMA places, so each socket
 * is one.
 */
final class SlurmNode {
    private static final Pattern GRES = Pattern.compile(
            "([A-Za-z0-9._-]+)(?::(?![0-9]+[KMGT]?(?:\\(|$))([A-Za-z0-9._-]+))?(?::([0-9]{1,12})([KMGT]?))?(?:\\(S:([0-9,-]+)\\))?");
    private static final Pattern SPLIT = Pattern.compile(",(?![^(]*\\))");

    private final HardwareSource source;
    private final SlurmLine line;
    private final Map<String, String> defaults;

    /** @param defaults what a line {@code NodeName=DEFAULT} before it said */
    SlurmNode(HardwareSource source, SlurmLine line, Map<String, String> defaults) {
        this.source = source;
        this.line = line;
        this.defaults = Map.copyOf(defaults);
    }

    private String value(String key) {
        return line.values().getOrDefault(key, defaults.getOrDefault(key, ""));
    }

    private int number(String key, int otherwise, int max) {
        String text = value(key);
        return text.isEmpty() ? otherwise : Amounts.whole(source, line.number(), key, text, max);
    }

    /** Without name and place. */
    Hardware read() {
        NodeDraft draft = new NodeDraft(source);
        cores(draft);
        String memory = value("realmemory");
        if (!memory.isEmpty()) {
            draft.spec().setMemoryBytes(Amounts.bytes(source, line.number(), "RealMemory", memory, 20));
        }
        TreeMap<String, Long> countables = new TreeMap<>();
        String gres = value("gres");
        if (!gres.isEmpty()) {
            for (String one : SPLIT.split(gres, -1)) {
                gres(draft, one, countables);
            }
        }
        countables.forEach((name, amount) -> draft.spec()
                .addCountables(Countable.newBuilder().setName("gres/" + name).setAmount(amount)));
        return draft.build();
    }

    private void cores(NodeDraft draft) {
        int max = Limits.CORES_PER_NODE_MAX;
        int perSocket = number("corespersocket", 1, max);
        int threads = number("threadspercore", 1, max);
        int boards = Math.max(1, number("boards", 1, max));
        int sockets = number("sockets", boards * number("socketsperboard", 0, max), max);
        long whole = (long) Math.max(1, sockets) * perSocket * threads;
        int cpus = number("cpus", number("procs", (int) Math.min(whole, max + 1L), max), max);
        if (cpus > max || (sockets > 0 && cpus > whole)) {
            throw source.at(
                    line.number(),
                    "CPUs",
                    Integer.toString(cpus),
                    "at most " + Math.min(max, whole) + ", Sockets x CoresPerSocket x ThreadsPerCore");
        }
        int places = Math.max(1, Math.min(sockets, Math.max(1, cpus)));
        for (int place = 0; place < places; place++) {
            BitSet cores = new BitSet();
            cores.set(place * cpus / places, (place + 1) * cpus / places);
            draft.cores(place, cores);
            if (sockets > 0) {
                draft.place(place).setSocket(place);
            }
        }
        draft.spec().setSockets(sockets);
        draft.note("Slurm numbers cores by itself and names no NUMA places: each socket is taken for one");
    }

    private void gres(NodeDraft draft, String text, Map<String, Long> countables) {
        if (text.contains(":no_consume")) {
            draft.note("gres " + text + " is not counted: passed over");
            return;
        }
        Matcher gres = GRES.matcher(text);
        if (!gres.matches()) {
            throw source.at(line.number(), "Gres", text, "name:type:count such as gpu:h100:8");
        }
        String type = gres.group(2) == null ? "" : gres.group(2);
        long count = count(text, gres);
        if (gres.group(1).equals("gpu")) {
            if (count > Limits.DEVICES_PER_NODE_MAX) {
                throw source.at(line.number(), "Gres", text, "at most " + Limits.DEVICES_PER_NODE_MAX + " devices");
            }
            int place = gres.group(5) != null && gres.group(5).matches("[0-9]{1,4}")
                    ? Integer.parseInt(gres.group(5))
                    : NodeDraft.UNKNOWN;
            for (long i = 0; i < count; i++) {
                draft.device()
                        .setKind(DeviceKind.DEVICE_KIND_GPU)
                        .setModel(type.isEmpty() ? source.model() : type)
                        .setNumaNode(place);
            }
        } else {
            countables.merge(type.isEmpty() ? gres.group(1) : gres.group(1) + "/" + type, count, Long::sum);
        }
    }

    private long count(String text, Matcher gres) {
        if (gres.group(3) == null) {
            return 1;
        }
        int shift = 10 * List.of("", "K", "M", "G", "T").indexOf(gres.group(4));
        long count = Long.parseLong(gres.group(3));
        if (count > Limits.NAMED_AMOUNT_MAX >> shift) {
            throw source.at(line.number(), "Gres", text, "an amount of at most 2^53");
        }
        return count << shift;
    }
}
