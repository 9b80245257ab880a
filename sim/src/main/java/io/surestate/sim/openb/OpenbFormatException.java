package io.surestate.sim.openb;

import io.surestate.api.Names;
import java.io.IOException;
import java.nio.file.Path;

/** A trace file that cannot be read as one; the message names file, line and column. */
public final class OpenbFormatException extends IOException {
    private static final long serialVersionUID = 1;

    OpenbFormatException(Path file, long line, String column, String value, String expected) {
        super(Names.message(file.getFileName() + ":" + line + ": " + column, value, expected));
    }
}
