package io.surestate.manifest.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.exc.ValueInstantiationException;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializerBase;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import io.surestate.api.Limits;
import io.surestate.manifest.Quantity;
import io.surestate.manifest.SyntaxProblem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Reads a YAML configuration file into a record and writes the effective configuration back. Unknown and duplicate keys are errors
 * that name the line and the nearest known key; {@link Duration} components are written {@code 2s}; defaults and checks belong to the
 * record's compact constructor, whose {@link IllegalArgumentException} becomes the error shown.
 */
public final class ConfigFile {
    private static final ObjectMapper MAPPER = mapper();

    private ConfigFile() {}

    /** Reads the file; every problem is a {@link ConfigException} that begins with the file's name. */
    public static <T extends Record> T read(Path file, Class<T> type) {
        try {
            long size = Files.size(file);
            if (size > Limits.MANIFEST_BYTES_MAX) {
                throw new ConfigException(
                        file + ": " + size + " bytes (expected: at most " + Limits.MANIFEST_BYTES_MAX + ")");
            }
            return parse(file.toString(), Files.readString(file, StandardCharsets.UTF_8), type);
        } catch (NoSuchFileException missing) {
            throw new ConfigException(file + ": no such file (expected: a YAML configuration file)");
        } catch (IOException unreadable) {
            throw new ConfigException(file + ": cannot be read: " + unreadable.getMessage());
        }
    }

    /** As {@link #read}, from text; {@code source} names it in errors. */
    public static <T extends Record> T parse(String source, String yaml, Class<T> type) {
        try {
            String document = yaml.isBlank() ? "{}" : yaml;
            try (JsonParser parser = MAPPER.createParser(document)) {
                parser.nextToken();
                new KnownKeys(source, parser).check(type);
            }
            T config = MAPPER.readValue(document, type);
            if (config == null) {
                throw new ConfigException(source + ": empty (expected: keys and values)");
            }
            return config;
        } catch (ValueInstantiationException refused) {
            throw new ConfigException(source + ": " + causeMessage(refused));
        } catch (MismatchedInputException mismatched) {
            throw new ConfigException(at(source, mismatched.getLocation()) + path(mismatched) + ": "
                    + firstLine(mismatched.getOriginalMessage()));
        } catch (JsonMappingException other) {
            throw new ConfigException(at(source, other.getLocation()) + path(other) + ": " + causeMessage(other));
        } catch (JsonProcessingException syntax) {
            throw new ConfigException(SyntaxProblem.of(syntax).in(source));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    /** The whole configuration with every default filled in, as YAML. */
    public static String write(Record config) {
        try {
            return MAPPER.writeValueAsString(config);
        } catch (JsonProcessingException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static String at(String source, JsonLocation where) {
        return where == null ? source + ": " : source + ":" + where.getLineNr() + ": ";
    }

    private static String path(JsonMappingException problem) {
        StringBuilder path = new StringBuilder();
        for (JsonMappingException.Reference step : problem.getPath()) {
            if (step.getFieldName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append(path.length() == 0 ? "" : ".").append(step.getFieldName());
            }
        }
        return path.length() == 0 ? "configuration" : path.toString();
    }

    private static String causeMessage(Throwable problem) {
        Throwable deepest = problem;
        while (deepest.getCause() != null) {
            deepest = deepest.getCause();
        }
        return firstLine(String.valueOf(deepest.getMessage()));
    }

    private static String firstLine(String message) {
        int end = message.indexOf('\n');
        return end < 0 ? message : message.substring(0, end);
    }

    private static ObjectMapper mapper() {
        YAMLFactory yaml = YAMLFactory.builder()
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
                .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
                .streamReadConstraints(StreamReadConstraints.builder()
                        .maxNestingDepth(Limits.MANIFEST_DEPTH_MAX)
                        .build())
                .build();
        SimpleModule durations = new SimpleModule("durations");
        durations.addDeserializer(Duration.class, new DurationReader());
        durations.addSerializer(Duration.class, new DurationWriter());
        durations.addSerializer(Path.class, ToStringSerializer.instance);
        return new ObjectMapper(yaml)
                .registerModule(durations)
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);
    }

    private static final class DurationReader extends StdDeserializer<Duration> {
        private static final long serialVersionUID = 1L;

        DurationReader() {
            super(Duration.class);
        }

        @Override
        public Duration deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            return Quantity.duration(String.valueOf(parser.currentName()), parser.getText());
        }
    }

    private static final class DurationWriter extends ToStringSerializerBase {
        private static final long serialVersionUID = 1L;

        DurationWriter() {
            super(Duration.class);
        }

        @Override
        public String valueToString(Object value) {
            return Quantity.formatDuration(((Duration) value).toMillis());
        }
    }
}
