package io.surestate.sim.gpujobs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.surestate.api.Names;
import io.surestate.sim.trace.TraceBounds;
import io.surestate.sim.trace.TraceException;
import io.surestate.sim.trace.TraceInput;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Measured training steps per second of kinds of jobs on one type of GPU, by how many GPUs the job has. Immutable.
 */
final class Throughputs {
    /** What is measured of a job that shares its GPUs with none. */
    private static final String ALONE = "null";

    private static final Pattern KEY = Pattern.compile("\\('(.*)', (\\d{1,9})\\)");
    /** It becomes a tree in memory. */
    private static final long BYTES_MAX = 64L << 20;

    private static final String FORM = "{TYPE: {\"('KIND', GPUS)\": {\"null\": STEPS_PER_SECOND}}}";

    private final TreeMap<String, TreeMap<Integer, Double>> byKind = new TreeMap<>();

    private Throughputs() {}

    /** @throws TraceException the file is no such table, or knows no such type */
    static Throughputs read(Path file, String gpuType, TraceBounds bounds) throws IOException {
        JsonNode all = tree(file, bounds.withBytes(Math.min(BYTES_MAX, bounds.bytes())));
        List<String> types = new ArrayList<>();
        all.fieldNames().forEachRemaining(types::add);
        if (types.isEmpty()) {
            throw new TraceException(file + ": no GPU types (expected: " + FORM + ")");
        }
        JsonNode ofType = all.path(gpuType);
        if (!ofType.isObject()) {
            throw new TraceException(file + ": " + Names.message("GPU type", gpuType, String.join(", ", types)));
        }
        Throughputs throughputs = new Throughputs();
        ofType.properties().forEach(entry -> throughputs.put(entry.getKey(), entry.getValue()));
        if (throughputs.byKind.isEmpty()) {
            throw new TraceException(file + ": nothing measured for type " + gpuType + " (expected: " + FORM + ")");
        }
        return throughputs;
    }

    private static JsonNode tree(Path file, TraceBounds bounds) throws IOException {
        try (TraceInput in = TraceInput.open(file, bounds)) {
            return new JsonMapper().readTree(in);
        } catch (JsonProcessingException broken) {
            throw new TraceException(file + ":" + broken.getLocation().getLineNr() + ": not JSON: "
                    + broken.getOriginalMessage() + " (expected: " + FORM + ")");
        }
    }

    private void put(String key, JsonNode measured) {
        Matcher parts = KEY.matcher(key);
        double steps = measured.path(ALONE).asDouble();
        if (parts.matches() && steps > 0) {
            byKind.computeIfAbsent(parts.group(1), absent -> new TreeMap<>())
                    .put(Integer.valueOf(parts.group(2)), steps);
        }
    }

    /**
     * Steps per second. Where this many GPUs were not measured, the nearest lesser number that was is scaled up in proportion, else the
     * nearest greater one down; empty if the kind was never measured.
     */
    OptionalDouble of(String kind, int gpus) {
        TreeMap<Integer, Double> measured = byKind.getOrDefault(kind, new TreeMap<>());
        if (measured.isEmpty()) {
            return OptionalDouble.empty();
        }
        Integer lesser = measured.floorKey(gpus);
        int nearest = lesser == null ? measured.firstKey() : lesser;
        return OptionalDouble.of(measured.getOrDefault(nearest, 0.0) * gpus / nearest);
    }
}
