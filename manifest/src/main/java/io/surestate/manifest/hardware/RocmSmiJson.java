package io.surestate.manifest.hardware;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.surestate.api.Limits;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.DeviceTelemetry;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code rocm-smi --json}: one object a card, whose keys are the lines that the tool prints. Their case and wording differ between
 * versions: keys are compared in lower case, and the first that is there counts.
 */
public final class RocmSmiJson implements HardwareReader {
    /** What to ask the tool for. */
    public static final List<String> ARGUMENTS = List.of(
            "--showproductname",
            "--showuniqueid",
            "--showbus",
            "--showmeminfo",
            "vram",
            "--showuse",
            "--showtemp",
            "--showpower",
            "--showmaxpower",
            "--showclocks",
            "--json");

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern CARD = Pattern.compile("card([0-9]{1,4})");
    private static final List<String> NO_ID = List.of("", "N/A", "0x0");

    @Override
    public Hardware read(HardwareSource source) {
        NodeDraft draft = new NodeDraft(source);
        cards(source).values().forEach(card -> card(source, draft, card));
        return draft.build();
    }

    private static Map<Integer, Map<String, String>> cards(HardwareSource source) {
        Map<Integer, Map<String, String>> cards = new TreeMap<>();
        for (Map.Entry<String, JsonNode> entry : tree(source).properties()) {
            Matcher card = CARD.matcher(entry.getKey());
            if (card.matches()) {
                Map<String, String> lines = new TreeMap<>();
                entry.getValue()
                        .properties()
                        .forEach(line -> lines.put(
                                line.getKey().strip().toLowerCase(Locale.ROOT),
                                line.getValue().asText().strip()));
                cards.put(Integer.parseInt(card.group(1)), lines);
            }
        }
        return cards;
    }

    private static JsonNode tree(HardwareSource source) {
        try {
            JsonNode tree = JSON.readTree(source.text());
            if (tree != null && tree.isObject()) {
                return tree;
            }
        } catch (JsonProcessingException broken) {
            throw source.at(
                    broken.getLocation() == null ? 0 : broken.getLocation().getLineNr(),
                    "not well-formed JSON (expected: a whole document)");
        }
        throw source.problem("no object (expected: the output of rocm-smi --json)");
    }

    private static void card(HardwareSource source, NodeDraft draft, Map<String, String> card) {
        String address = Amounts.pciAddress(first(card, "pci bus"));
        String id = first(card, "unique id");
        String memory = first(card, "vram total memory (b)");
        String model = source.model().isEmpty()
                ? first(card, "card series", "device name", "card model", "market name")
                : source.model();
        draft.device()
                .setKind(DeviceKind.DEVICE_KIND_GPU)
                .setVendor("AMD")
                .setModel(model)
                .setHardwareId(NO_ID.contains(id) ? address : id)
                .setPciAddress(address)
                .setMemoryBytes(memory.isEmpty() ? 0 : Amounts.bytes(source, 0, "VRAM Total Memory (B)", memory, 0));
        draft.sign(new DeviceSigns("", telemetry(card, draft.spec().getDevicesCount() - 1)));
    }

    private static DeviceTelemetry telemetry(Map<String, String> card, int ordinal) {
        return DeviceTelemetry.newBuilder()
                .setOrdinal(ordinal)
                .setUseMilli(Figures.percentInMilli(first(card, "gpu use (%)")))
                .setMemoryUsedBytes(
                        Math.min(Limits.MEMORY_BYTES_MAX, Figures.amount(first(card, "vram total used memory (b)"))))
                .setTemperatureCelsius(Figures.whole(
                        first(card, "temperature (sensor junction) (c)", "temperature (sensor edge) (c)")))
                .setPowerWatts(Figures.whole(
                        first(card, "current socket graphics package power (w)", "average graphics package power (w)")))
                .setPowerLimitWatts(Figures.whole(first(card, "max graphics package power (w)")))
                .setClockMhz(Figures.whole(first(card, "sclk clock speed:", "sclk clock speed")))
                .build();
    }

    private static String first(Map<String, String> card, String... keys) {
        for (String key : keys) {
            String value = card.getOrDefault(key, "");
            if (!value.isEmpty() && !value.equals("N/A")) {
                return value;
            }
        }
        return "";
    }
}
