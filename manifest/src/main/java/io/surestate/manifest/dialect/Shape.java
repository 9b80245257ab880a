package io.surestate.manifest.dialect;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import io.surestate.api.v1.ManifestField;
import io.surestate.api.v1.Options;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How one kind of message looks in a manifest: its entries in the order in which they are written. Immutable.
 *
 * @param entries by lowerCamelCase key
 */
record Shape(Map<String, Entry> entries) {
    /**
     * One key of a manifest object.
     *
     * @param key lowerCamelCase
     * @param parents inlined messages to descend through before {@code field} is reached, outermost first
     */
    record Entry(String key, List<FieldDescriptor> parents, FieldDescriptor field, ManifestField options) {
        boolean isMap() {
            return options.getAsMap();
        }

        boolean isMessage() {
            return field.getJavaType() == JavaType.MESSAGE;
        }

        String snakeKey() {
            return snake(key);
        }
    }

    static Shape of(Descriptor type) {
        Map<String, Entry> entries = new LinkedHashMap<>();
        collect(type, List.of(), entries);
        return new Shape(entries);
    }

    private static void collect(Descriptor type, List<FieldDescriptor> parents, Map<String, Entry> entries) {
        for (FieldDescriptor field : type.getFields()) {
            ManifestField options = options(field);
            if (options.getInlined()) {
                List<FieldDescriptor> path = new ArrayList<>(parents);
                path.add(field);
                collect(field.getMessageType(), path, entries);
            } else if (!options.getHidden()) {
                String key = options.getName().isEmpty() ? field.getJsonName() : options.getName();
                entries.put(key, new Entry(key, List.copyOf(parents), field, options));
            }
        }
    }

    static ManifestField options(FieldDescriptor field) {
        return field.getOptions().getExtension(Options.manifest);
    }

    /** The entry that a key means, written in lowerCamelCase or snake_case. */
    Optional<Entry> find(String key) {
        Entry exact = entries.get(key);
        if (exact != null) {
            return Optional.of(exact);
        }
        return entries.values().stream()
                .filter(entry -> entry.snakeKey().equals(key))
                .findFirst();
    }

    private static String snake(String camel) {
        StringBuilder out = new StringBuilder();
        camel.chars().forEach(c -> {
            if (Character.isUpperCase(c)) {
                out.append('_');
            }
            out.append((char) Character.toLowerCase(c));
        });
        return out.toString();
    }
}
