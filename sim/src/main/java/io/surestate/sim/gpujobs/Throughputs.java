package io.surestate.sim.gpujobs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.surestate.api.Names;
import io.surestate.sim.trace.TraceException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
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
    private static final long BYTES_MAX = 64L << 20;

    private final TreeMap<String, TreeMap<Integer, Double>> byKind = new TreeMap<>();

    private Throughputs() {}

    /** @throws TraceException the file is no such table, or knows no such type */
    static Throughputs read(Path file, String gpuType) throws IOException {
        if (Files.size(file) > BYTES_MAX) {
            throw new TraceException(file + ": too large (expected: at most " + BYTES_MAX + " bytes)");
        }
        JsonNode all = tree(file);
        JsonNode ofType = all.path(gpuType);
        if (!ofType.isObject()) {
            List<String> types = new ArrayList<>();
            all.fieldNames().forEachRemaining(types::add);
            throw new TraceException(file + ": " + Names.message("GPU type", gpuType, String.join(", ", types)));
        }
        Throughputs throughputs = new Throughputs();
        ofType.properties().forEach(entry -> throughputs.put(entry.getKey(), entry.getValue()));
        return throughputs;
    }

    private static JsonNode tree(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return new JsonMapper().readTree(in);
        } catch (JsonProcessingException broken) {
            throw new TraceException(
                    file + ":" + broken.getLocation().getLineNr() + ": not JSON: " + broken.getOriginalMessage());
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
