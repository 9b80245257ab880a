package io.surestate.manifest.hardware;

import io.surestate.api.Limits;
import io.surestate.api.Names;

/**
 * One file to be read. Immutable.
 *
 * @param name what messages call the file
 * @param model of its devices, for formats that do not say it; empty = unknown
 */
public record HardwareSource(String name, String text, String model) {
    /**
     * Takes a text of bounded length.
     *
     * @throws HardwareException the text is too long
     */
    public HardwareSource {
        if (text.length() > Limits.HARDWARE_FILE_BYTES_MAX) {
            throw new HardwareException(name + ": " + text.length() + " characters (expected: at most "
                    + Limits.HARDWARE_FILE_BYTES_MAX + ")");
        }
    }

    HardwareException problem(String problem) {
        return new HardwareException(name + ": " + problem);
    }

    /** @param line from 1; 0 = unknown */
    HardwareException at(int line, String problem) {
        return new HardwareException(name + (line == 0 ? "" : ":" + line) + ": " + problem);
    }

    HardwareException at(int line, String field, String value, String expected) {
        return at(line, Names.message(field, value, expected));
    }
}
