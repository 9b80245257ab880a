package io.surestate.agent.oci;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * A file of an image layout that is named by its content. Immutable.
 *
 * @param layout the layout's folder
 * @param digest {@code sha256:} and 64 hexadecimal digits
 */
record Blob(Path layout, String digest) {
    private static final Pattern SHA256 = Pattern.compile("sha256:[0-9a-f]{64}");

    /** What is done with the content, before it is known to be the right one. */
    interface Use<T> {
        T of(InputStream content) throws IOException;
    }

    Blob {
        if (!SHA256.matcher(digest).matches()) {
            throw new IllegalArgumentException(
                    "digest: \"" + digest + "\" (expected: sha256: and 64 hexadecimal digits)");
        }
    }

    /**
     * Reads it.
     *
     * @throws ImageException if it is not there, or another one than its name says; then what {@code use} made must be thrown away
     */
    <T> T read(Use<T> use) throws IOException {
        MessageDigest sha256 = sha256();
        T made;
        try (InputStream in = new DigestInputStream(Files.newInputStream(file()), sha256)) {
            made = use.of(in);
            in.transferTo(java.io.OutputStream.nullOutputStream());
        } catch (NoSuchFileException e) {
            throw new ImageException("image " + layout + ": blob " + digest + " is missing");
        }
        String found = "sha256:" + HexFormat.of().formatHex(sha256.digest());
        if (!found.equals(digest)) {
            throw new ImageException(
                    "image " + layout + ": a blob's content is " + found + " (expected: " + digest + ")");
        }
        return made;
    }

    private Path file() {
        return layout.resolve("blobs/sha256").resolve(digest.substring("sha256:".length()));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
