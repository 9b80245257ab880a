package io.surestate.cli.job;

import io.surestate.api.Limits;
import io.surestate.api.v1.Job;
import io.surestate.cli.CliException;
import io.surestate.manifest.dialect.ManifestException;
import io.surestate.manifest.dialect.ManifestReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads job files, never more of one than may be in it. */
final class JobFiles {
    private static final String STANDARD_INPUT = "-";

    private JobFiles() {}

    /** @param file {@code -} = {@code in} */
    static Job read(String file, InputStream in) {
        if (file.equals(STANDARD_INPUT)) {
            return parse("standard input", in);
        }
        try (InputStream opened = Files.newInputStream(Path.of(file))) {
            return parse(file, opened);
        } catch (NoSuchFileException missing) {
            throw CliException.usage(file + ": no such file (expected: a job file in YAML or JSON)");
        } catch (IOException unreadable) {
            throw CliException.usage(file + ": cannot be read: " + unreadable.getMessage());
        }
    }

    private static Job parse(String source, InputStream in) {
        try {
            byte[] bytes = in.readNBytes(Limits.MANIFEST_BYTES_MAX + 1);
            if (bytes.length > Limits.MANIFEST_BYTES_MAX) {
                throw new ManifestException(
                        source + ": too large (expected: at most " + Limits.MANIFEST_BYTES_MAX + " bytes)");
            }
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
            return new ManifestReader().readJob(source, text);
        } catch (CharacterCodingException notText) {
            throw new ManifestException(source + ": not UTF-8 text (expected: a job file in YAML or JSON)");
        } catch (IOException unreadable) {
            throw CliException.usage(source + ": cannot be read: " + unreadable.getMessage());
        }
    }
}
