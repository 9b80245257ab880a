package io.surestate.cli.input;

import io.surestate.api.Limits;
import io.surestate.cli.CliException;
import io.surestate.manifest.dialect.ManifestException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Reads manifests from files, never more of one than may be in it. */
public final class ManifestFiles {
    private static final String STANDARD_INPUT = "-";

    private ManifestFiles() {}

    /** Makes something of a manifest's text. */
    public interface Parser<T> {
        /**
         * What the text says.
         *
         * @param source what messages call the text
         */
        T parse(String source, String text);
    }

    /**
     * Reads and parses a whole file.
     *
     * @param file {@code -} = {@code in}
     * @param what the file is, such as "a job file"
     */
    public static <T> T read(String file, InputStream in, String what, Parser<T> parser) {
        if (file.equals(STANDARD_INPUT)) {
            return parse("standard input", in, what, parser);
        }
        try (InputStream opened = Files.newInputStream(Path.of(file))) {
            return parse(file, opened, what, parser);
        } catch (NoSuchFileException missing) {
            throw CliException.usage(file + ": no such file (expected: " + what + " in YAML or JSON)");
        } catch (IOException unreadable) {
            throw CliException.usage(file + ": cannot be read: " + unreadable.getMessage());
        }
    }

    private static <T> T parse(String source, InputStream in, String what, Parser<T> parser) {
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
            return parser.parse(source, text);
        } catch (CharacterCodingException notText) {
            throw new ManifestException(source + ": not UTF-8 text (expected: " + what + " in YAML or JSON)");
        } catch (IOException unreadable) {
            throw CliException.usage(source + ": cannot be read: " + unreadable.getMessage());
        }
    }
}
