package io.surestate.manifest.hardware;

import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.DeviceTelemetry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code npu-smi info}: of each chip two lines, the first with number, name, health, power and temperature, the second with PCI address,
 * use and memory. The table names no serial: the PCI address tells one chip from another.
 */
final class NpuSmiInfo implements HardwareReader {
    private static final Pattern FIRST = Pattern.compile("([0-9]{1,4})\\s+(\\S+)");
    private static final Pattern ADDRESS =
            Pattern.compile("[0-9a-fA-F]{4}:[0-9a-fA-F]{2}:[0-9a-fA-F]{2}\\.[0-9a-fA-F]");
    private static final Pattern PAIR = Pattern.compile("([0-9]{1,12})\\s*/\\s*([0-9]{1,12})");
    private static final int CELLS = 3;
    private static final int BYTES_SHIFT = 20;

    @Override
    public Hardware read(HardwareSource source) {
        List<SourceLine> lines = SourceLine.of(source);
        if (lines.stream().noneMatch(line -> line.text().contains("AICore(%)"))) {
            throw source.problem("no table (expected: the output of npu-smi info)");
        }
        NodeDraft draft = new NodeDraft(source);
        for (int i = 0; i < lines.size(); i++) {
            List<String> above = cells(lines.get(i));
            List<String> below = i + 1 < lines.size() ? cells(lines.get(i + 1)) : List.of();
            Optional<Matcher> named = named(above);
            if (named.isPresent() && !ADDRESS.matcher(above.get(1)).matches()) {
                if (below.size() != CELLS || !ADDRESS.matcher(below.get(1)).matches()) {
                    throw source.at(
                            lines.get(i).number(), "NPU", named.get().group(1), "a line with its PCI address below");
                }
                chip(source, draft, lines.get(i + 1), named.get(), above, below);
                i++;
            }
        }
        return draft.build();
    }

    private static List<String> cells(SourceLine line) {
        String text = line.text().strip();
        if (!text.startsWith("|") || !text.endsWith("|") || text.length() < 2) {
            return List.of();
        }
        return new ArrayList<>(
                Arrays.stream(text.substring(1, text.length() - 1).split("\\|", -1))
                        .map(String::strip)
                        .toList());
    }

    private static Optional<Matcher> named(List<String> cells) {
        if (cells.size() != CELLS) {
            return Optional.empty();
        }
        Matcher first = FIRST.matcher(cells.get(0));
        return first.matches() ? Optional.of(first) : Optional.empty();
    }

    private static void chip(
            HardwareSource source,
            NodeDraft draft,
            SourceLine line,
            Matcher named,
            List<String> above,
            List<String> below) {
        List<String> figures = Arrays.asList(above.get(2).split("\\s+", -1));
        List<MatchResult> memory = PAIR.matcher(below.get(2)).results().toList();
        if (memory.isEmpty()) {
            throw source.at(line.number(), "memory", below.get(2), "used and all of it, such as 3318 / 65536");
        }
        // The last pair is that of the memory on the chip's package; older chips have one pair only.
        MatchResult last = memory.get(memory.size() - 1);
        String address = Amounts.pciAddress(below.get(1));
        draft.device()
                .setKind(DeviceKind.DEVICE_KIND_NPU)
                .setVendor("Huawei")
                .setModel("Ascend " + named.group(2))
                .setHardwareId(address)
                .setPciAddress(address)
                .setMemoryBytes(Amounts.bytes(source, line.number(), "memory", last.group(2), BYTES_SHIFT));
        String health = above.get(1);
        boolean well = health.equals("OK") || health.equals("Warning");
        draft.sign(new DeviceSigns(
                well ? "" : "health: " + health,
                DeviceTelemetry.newBuilder()
                        .setOrdinal(draft.spec().getDevicesCount() - 1)
                        .setPowerWatts(Figures.whole(figures.get(0)))
                        .setTemperatureCelsius(figures.size() > 1 ? Figures.whole(figures.get(1)) : 0)
                        .setUseMilli(Figures.percentInMilli(below.get(2)))
                        .setMemoryUsedBytes(Figures.amount(last.group(1)) << BYTES_SHIFT)
                        .build()));
    }
}
