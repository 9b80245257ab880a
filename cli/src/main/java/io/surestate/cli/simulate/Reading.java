package io.surestate.cli.simulate;

import io.surestate.cli.CliException;
import io.surestate.sim.trace.TraceException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Turns what goes wrong with traces into what people are told. */
final class Reading {
    private Reading() {}

    /** Reads a file. */
    interface Reader<T> {
        T read() throws IOException;
    }

    /** @param file that is read, or one of several */
    static <T> T of(Path file, Reader<T> reader) {
        try {
            return reader.read();
        } catch (TraceException broken) {
            throw CliException.refused("INVALID_ARGUMENT: " + broken.getMessage());
        } catch (NoSuchFileException missing) {
            throw CliException.usage(missing.getFile() + ": no such file");
        } catch (AccessDeniedException closed) {
            throw CliException.usage(closed.getFile() + ": may not be read");
        } catch (IOException unreadable) {
            throw CliException.usage(file + ": cannot be read: " + unreadable.getMessage());
        }
    }
}
