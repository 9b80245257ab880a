package io.surestate.manifest.dialect;

import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import java.util.List;
import java.util.Optional;

/** Enum values without the prefix that they carry on the wire: {@code JOB_TYPE_HPC} is {@code HPC}. */
public final class EnumNames {
    private static final String UNSPECIFIED = "UNSPECIFIED";

    private EnumNames() {}

    /** The short name; that of an unknown number is the number. */
    public static String shortName(EnumValueDescriptor value) {
        if (value.getIndex() < 0) {
            return Integer.toString(value.getNumber());
        }
        String prefix = prefix(value.getType());
        return value.getName().startsWith(prefix) ? value.getName().substring(prefix.length()) : value.getName();
    }

    /** The value with this short name; the unspecified one has none. */
    static Optional<EnumValueDescriptor> find(EnumDescriptor type, String shortName) {
        return type.getValues().stream()
                .filter(value -> shortName(value).equals(shortName) && !shortName.equals(UNSPECIFIED))
                .findFirst();
    }

    /** What may be written. */
    static List<String> known(EnumDescriptor type) {
        return type.getValues().stream()
                .map(EnumNames::shortName)
                .filter(name -> !name.equals(UNSPECIFIED))
                .toList();
    }

    private static String prefix(EnumDescriptor type) {
        StringBuilder out = new StringBuilder();
        String name = type.getName();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (i > 0 && Character.isUpperCase(c)) {
                out.append('_');
            }
            out.append(Character.toUpperCase(c));
        }
        return out.append('_').toString();
    }
}
