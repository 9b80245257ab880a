package io.surestate.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.util.Optional;

/** Standard output that remembers why it could not be written: print streams only know that. One thread. */
final class StandardOutput extends FilterOutputStream {
    private Optional<IOException> failure = Optional.empty();

    StandardOutput() {
        super(new FileOutputStream(FileDescriptor.out));
    }

    /** The first failure, such as a full disk; not that whoever read it went away, which is no failure of ours. */
    Optional<IOException> failure() {
        return failure.filter(cause -> !String.valueOf(cause.getMessage()).contains("Broken pipe"));
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        try {
            out.write(bytes, from, count);
        } catch (IOException failed) {
            failure = Optional.of(failure.orElse(failed));
            throw failed;
        }
    }
}
