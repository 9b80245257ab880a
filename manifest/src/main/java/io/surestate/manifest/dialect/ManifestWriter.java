package io.surestate.manifest.dialect;

import com.fasterxml.jackson.core.JsonGenerator;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes API messages in the manifest dialect, to any generator. Zero and empty values are left out unless the field's options keep
 * them. What it writes of a job's own fields, {@link ManifestReader} reads back to the same message. Used by one thread.
 */
public final class ManifestWriter {
    private final Map<Descriptor, Shape> shapes = new HashMap<>();

    /** One object. */
    public void write(Message message, JsonGenerator out) throws IOException {
        out.writeStartObject();
        fields(message, out);
        out.writeEndObject();
    }

    /** The keys and values of a message, into an object that the caller began. */
    public void fields(Message message, JsonGenerator out) throws IOException {
        Shape shape = shapes.computeIfAbsent(message.getDescriptorForType(), Shape::of);
        for (Shape.Entry entry : shape.entries().values()) {
            Message holder = message;
            for (FieldDescriptor parent : entry.parents()) {
                holder = (Message) holder.getField(parent);
            }
            entry(holder, entry, out);
        }
    }

    private void entry(Message holder, Shape.Entry entry, JsonGenerator out) throws IOException {
        FieldDescriptor field = entry.field();
        Object value = holder.getField(field);
        if (!isWritten(holder, entry, value)) {
            return;
        }
        out.writeFieldName(entry.key());
        if (entry.isMap()) {
            map((List<?>) value, field, out);
        } else if (field.isRepeated()) {
            out.writeStartArray();
            for (Object element : (List<?>) value) {
                value(element, entry, out);
            }
            out.writeEndArray();
        } else {
            value(value, entry, out);
        }
    }

    private static boolean isWritten(Message holder, Shape.Entry entry, Object value) {
        FieldDescriptor field = entry.field();
        if (field.isRepeated()) {
            return !((List<?>) value).isEmpty();
        }
        if (field.hasPresence()) {
            return holder.hasField(field);
        }
        return entry.options().getAlways() || !value.equals(field.getDefaultValue());
    }

    private void value(Object value, Shape.Entry entry, JsonGenerator out) throws IOException {
        switch (entry.options().getUnit()) {
            case UNIT_UNSPECIFIED, UNRECOGNIZED -> plain(value, out);
            default -> out.writeString(UnitText.format(entry.options().getUnit(), ((Number) value).longValue()));
        }
    }

    private void plain(Object value, JsonGenerator out) throws IOException {
        if (value instanceof Message message) {
            write(message, out);
        } else if (value instanceof EnumValueDescriptor named) {
            out.writeString(EnumNames.shortName(named));
        } else if (value instanceof Number number) {
            out.writeNumber(number.longValue());
        } else if (value instanceof Boolean flag) {
            out.writeBoolean(flag);
        } else {
            out.writeString(value.toString());
        }
    }

    private void map(List<?> elements, FieldDescriptor field, JsonGenerator out) throws IOException {
        FieldDescriptor key = field.getMessageType().getFields().get(0);
        FieldDescriptor value = field.getMessageType().getFields().get(1);
        out.writeStartObject();
        for (Object element : elements) {
            Message pair = (Message) element;
            out.writeFieldName(pair.getField(key).toString());
            plain(pair.getField(value), out);
        }
        out.writeEndObject();
    }
}
