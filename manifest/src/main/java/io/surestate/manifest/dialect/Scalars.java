package io.surestate.manifest.dialect;

import com.fasterxml.jackson.core.JsonToken;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import io.surestate.api.Names;
import io.surestate.api.v1.Unit;
import java.util.Optional;

/** Single values: from the current token to what a message's field takes. */
final class Scalars {
    private Scalars() {}

    static Object read(Tokens tokens, String path, FieldDescriptor field, Unit unit) {
        if (unit != Unit.UNIT_UNSPECIFIED) {
            return amount(tokens, path, field, unit);
        }
        return switch (field.getJavaType()) {
            case STRING -> text(tokens, path);
            case INT -> (int) whole(tokens, path, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case LONG -> whole(tokens, path, Long.MIN_VALUE, Long.MAX_VALUE);
            case BOOLEAN -> flag(tokens, path);
            case ENUM -> named(tokens, path, field);
            case FLOAT, DOUBLE, BYTE_STRING, MESSAGE ->
                throw new IllegalStateException(field.getFullName() + ": has no written form");
        };
    }

    /** As {@link #read}, but numbers and truth values are taken as the text that they were written as. */
    static Object readMapValue(Tokens tokens, String path, FieldDescriptor field) {
        boolean literal =
                tokens.token() != JsonToken.VALUE_NULL && tokens.token().isScalarValue();
        return field.getJavaType() == JavaType.STRING && literal
                ? tokens.text()
                : read(tokens, path, field, Unit.UNIT_UNSPECIFIED);
    }

    private static String text(Tokens tokens, String path) {
        if (tokens.token() != JsonToken.VALUE_STRING) {
            boolean literal =
                    tokens.token() != JsonToken.VALUE_NULL && tokens.token().isScalarValue();
            throw tokens.at(path + ": " + shown(tokens) + " (expected: text"
                    + (literal ? ", in quotes: \"" + tokens.text() + "\"" : "") + ")");
        }
        return tokens.text();
    }

    private static Object amount(Tokens tokens, String path, FieldDescriptor field, Unit unit) {
        boolean written =
                tokens.token() == JsonToken.VALUE_STRING || tokens.token().isNumeric();
        try {
            // The text of another token is never an amount, so the parser's message says what is.
            long value = UnitText.parse(unit, path, written ? tokens.text() : shown(tokens));
            if (field.getJavaType() == JavaType.INT) {
                return Math.toIntExact(value);
            }
            return value;
        } catch (ArithmeticException tooLarge) {
            throw tokens.at(Names.message(path, tokens.text(), "a smaller amount"));
        } catch (IllegalArgumentException refused) {
            throw tokens.at(String.valueOf(refused.getMessage()));
        }
    }

    private static long whole(Tokens tokens, String path, long min, long max) {
        String expected = "a whole number";
        if (tokens.token() == JsonToken.VALUE_NUMBER_INT) {
            expected = "a whole number, " + min + " to " + max;
            Optional<Long> value = number(tokens.text());
            if (value.isPresent() && value.get() >= min && value.get() <= max) {
                return value.get();
            }
        }
        throw tokens.at(path + ": " + shown(tokens) + " (expected: " + expected + ")");
    }

    private static Optional<Long> number(String text) {
        try {
            return Optional.of(Long.parseLong(text));
        } catch (NumberFormatException tooLargeOrOdd) {
            return Optional.empty();
        }
    }

    private static boolean flag(Tokens tokens, String path) {
        return switch (tokens.token()) {
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            default -> throw tokens.at(path + ": " + shown(tokens) + " (expected: true or false)");
        };
    }

    private static Object named(Tokens tokens, String path, FieldDescriptor field) {
        Optional<?> value = tokens.token() == JsonToken.VALUE_STRING
                ? EnumNames.find(field.getEnumType(), tokens.text())
                : Optional.empty();
        if (value.isEmpty()) {
            throw tokens.at(path + ": " + shown(tokens) + " (expected: one of "
                    + String.join(", ", EnumNames.known(field.getEnumType())) + ")");
        }
        return value.get();
    }

    /** The current token for an error message. */
    static String shown(Tokens tokens) {
        return switch (tokens.token()) {
            case START_OBJECT -> "keys and values";
            case START_ARRAY -> "a list";
            case VALUE_NULL -> "nothing";
            case VALUE_STRING -> {
                String message = Names.message("", tokens.text(), "");
                yield message.substring(2, message.length() - " (expected: )".length());
            }
            default -> tokens.text();
        };
    }
}
