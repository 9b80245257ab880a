package io.surestate.manifest.dialect;

import com.fasterxml.jackson.core.JsonToken;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import io.surestate.api.Limits;
import io.surestate.api.v1.Job;
import io.surestate.manifest.NearestKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Reads manifests (YAML or JSON) into API messages. Every problem is a {@link ManifestException} that names source, line and key. Only
 * the form is checked here; ranges and names are the server's to judge. Used by one thread.
 */
public final class ManifestReader {
    /** What {@code job get} adds to a job. */
    private static final Set<String> JOB_ADDITIONS = Set.of("tasks", "pendingReason");

    private final Map<Descriptor, Shape> shapes = new HashMap<>();

    /** Reads one job; output-only keys and what {@code job get} adds are passed over. */
    public Job readJob(String source, String text) {
        Job.Builder job = Job.newBuilder();
        read(source, text, job, JOB_ADDITIONS);
        return job.build();
    }

    /** Reads one message of any kind into {@code into}. */
    public void read(String source, String text, Message.Builder into) {
        read(source, text, into, Set.of());
    }

    /**
     * Reads one message, or a list of them.
     *
     * @param kind of the messages; not changed
     * @param charsMax bound of the text's length
     */
    public List<Message> readAll(String source, String text, Message kind, int charsMax) {
        List<Message> all = new ArrayList<>();
        try (Tokens tokens = opened(source, text, charsMax)) {
            if (tokens.token() == JsonToken.START_ARRAY) {
                for (int i = 0; tokens.advance() && tokens.token() != JsonToken.END_ARRAY; i++) {
                    all.add(readOne(tokens, "[" + i + "]", kind));
                }
            } else {
                all.add(readOne(tokens, "", kind));
            }
            expectEnd(tokens);
        }
        return List.copyOf(all);
    }

    private Message readOne(Tokens tokens, String path, Message kind) {
        Message.Builder into = kind.newBuilderForType();
        readMessage(tokens, path, into, Set.of());
        return into.build();
    }

    private static Tokens opened(String source, String text, int charsMax) {
        if (text.length() > charsMax) {
            throw new ManifestException(
                    source + ": " + text.length() + " characters (expected: at most " + charsMax + ")");
        }
        Tokens tokens = new Tokens(source, text);
        if (!tokens.advance()) {
            tokens.close();
            throw new ManifestException(source + ": empty (expected: a manifest)");
        }
        return tokens;
    }

    private static void expectEnd(Tokens tokens) {
        if (tokens.advance()) {
            throw tokens.at("more than one document (expected: one)");
        }
    }

    private void read(String source, String text, Message.Builder into, Set<String> passedOver) {
        try (Tokens tokens = opened(source, text, Limits.MANIFEST_BYTES_MAX)) {
            readMessage(tokens, "", into, passedOver);
            expectEnd(tokens);
        }
    }

    private void readMessage(Tokens tokens, String path, Message.Builder into, Set<String> passedOver) {
        if (tokens.token() != JsonToken.START_OBJECT) {
            throw wrong(tokens, path.isEmpty() ? "manifest" : path, "keys and values");
        }
        Shape shape = shapes.computeIfAbsent(into.getDescriptorForType(), Shape::of);
        // Whether an inlined message is there cannot be written, so it always is.
        shape.entries().values().forEach(entry -> descend(into, entry));
        Set<String> seen = new HashSet<>();
        while (tokens.advance() && tokens.token() == JsonToken.FIELD_NAME) {
            String key = tokens.text();
            String here = path.isEmpty() ? key : path + "." + key;
            Optional<Shape.Entry> entry = shape.find(key);
            if ((entry.isPresent() && entry.get().options().getOutputOnly()) || passedOver.contains(key)) {
                tokens.advance();
                tokens.skipValue();
                continue;
            }
            Shape.Entry known = entry.orElseThrow(() -> tokens.at(here + ": unknown key (" + hint(key, shape) + ")"));
            if (!seen.add(known.key())) {
                throw tokens.at(here + ": given twice (expected: once)");
            }
            tokens.advance();
            readEntry(tokens, here, descend(into, known), known);
        }
    }

    private static Message.Builder descend(Message.Builder into, Shape.Entry entry) {
        Message.Builder at = into;
        for (FieldDescriptor parent : entry.parents()) {
            at = at.getFieldBuilder(parent);
        }
        return at;
    }

    private static String hint(String key, Shape shape) {
        return NearestKey.of(key, shape.entries().keySet())
                .map(nearest -> "did you mean " + nearest + "?")
                .orElseGet(() -> "known keys: "
                        + String.join(
                                ", ",
                                shape.entries().values().stream()
                                        .filter(entry -> !entry.options().getOutputOnly())
                                        .map(Shape.Entry::key)
                                        .toList()));
    }

    private void readEntry(Tokens tokens, String path, Message.Builder into, Shape.Entry entry) {
        FieldDescriptor field = entry.field();
        if (entry.isMap()) {
            readMap(tokens, path, into, field);
        } else if (field.isRepeated()) {
            readList(tokens, path, into, entry);
        } else if (entry.isMessage()) {
            readMessage(tokens, path, into.getFieldBuilder(field), Set.of());
        } else {
            into.setField(
                    field, Scalars.read(tokens, path, field, entry.options().getUnit()));
        }
    }

    private void readList(Tokens tokens, String path, Message.Builder into, Shape.Entry entry) {
        if (tokens.token() != JsonToken.START_ARRAY) {
            throw wrong(tokens, path, "a list");
        }
        FieldDescriptor field = entry.field();
        for (int i = 0; tokens.advance() && tokens.token() != JsonToken.END_ARRAY; i++) {
            String here = path + "[" + i + "]";
            if (entry.isMessage()) {
                Message.Builder element = into.newBuilderForField(field);
                readMessage(tokens, here, element, Set.of());
                into.addRepeatedField(field, element.build());
            } else {
                into.addRepeatedField(
                        field, Scalars.read(tokens, here, field, entry.options().getUnit()));
            }
        }
    }

    /** Entries end up sorted by key, whatever the order in the text. */
    private static void readMap(Tokens tokens, String path, Message.Builder into, FieldDescriptor field) {
        if (tokens.token() != JsonToken.START_OBJECT) {
            throw wrong(tokens, path, "keys and values");
        }
        FieldDescriptor keyField = field.getMessageType().getFields().get(0);
        FieldDescriptor valueField = field.getMessageType().getFields().get(1);
        TreeMap<String, Message> sorted = new TreeMap<>();
        while (tokens.advance() && tokens.token() == JsonToken.FIELD_NAME) {
            String key = tokens.text();
            String here = path + "." + key;
            if (sorted.containsKey(key)) {
                throw tokens.at(here + ": given twice (expected: once)");
            }
            tokens.advance();
            Message.Builder element = into.newBuilderForField(field);
            element.setField(keyField, key);
            element.setField(valueField, Scalars.readMapValue(tokens, here, valueField));
            sorted.put(key, element.build());
        }
        sorted.values().forEach(element -> into.addRepeatedField(field, element));
    }

    private static ManifestException wrong(Tokens tokens, String path, String expected) {
        return tokens.at(path + ": " + Scalars.shown(tokens) + " (expected: " + expected + ")");
    }
}
