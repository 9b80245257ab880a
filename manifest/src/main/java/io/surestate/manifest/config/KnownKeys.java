package io.surestate.manifest.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.surestate.manifest.NearestKey;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Checks every key of a document against the components of the record that it is read into, before anything is bound: a misspelt key is
 * then reported as such, not as the missing value that it leaves behind.
 */
final class KnownKeys {
    private final String source;
    private final JsonParser parser;

    KnownKeys(String source, JsonParser parser) {
        this.source = source;
        this.parser = parser;
    }

    /** The parser stands on the first token of the value. */
    void check(Type type) throws IOException {
        if (parser.currentToken() == JsonToken.START_OBJECT && type instanceof Class<?> record && record.isRecord()) {
            checkRecord(record);
        } else if (parser.currentToken() == JsonToken.START_ARRAY && elementType(type) instanceof Class<?> element) {
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                check(element);
            }
        } else {
            parser.skipChildren();
        }
    }

    private void checkRecord(Class<?> record) throws IOException {
        Map<String, Type> known = new LinkedHashMap<>();
        for (RecordComponent component : record.getRecordComponents()) {
            known.put(component.getName(), component.getGenericType());
        }
        while (parser.nextToken() == JsonToken.FIELD_NAME) {
            String key = parser.currentName();
            Type type = known.get(key);
            if (type == null) {
                throw new ConfigException(
                        source + ":" + parser.currentTokenLocation().getLineNr() + ": " + key + ": unknown key ("
                                + hint(key, known.keySet()) + ")");
            }
            parser.nextToken();
            check(type);
        }
    }

    private static Type elementType(Type type) {
        return type instanceof ParameterizedType generic
                        && generic.getRawType() instanceof Class<?> raw
                        && Collection.class.isAssignableFrom(raw)
                ? generic.getActualTypeArguments()[0]
                : Object.class;
    }

    private static String hint(String key, Collection<String> known) {
        return NearestKey.of(key, known)
                .map(nearest -> "did you mean " + nearest + "?")
                .orElse("known keys: " + String.join(", ", known));
    }
}
