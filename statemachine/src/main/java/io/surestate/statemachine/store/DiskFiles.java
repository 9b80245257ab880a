package io.surestate.statemachine.store;

import com.google.protobuf.ByteString;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** Files as crashes see them. */
final class DiskFiles {
    private static final int BUFFER_BYTES = 1 << 16;

    private DiskFiles() {}

    /** Returns when a file's content, or a folder's list of names, would survive a crash of the machine. */
    static void force(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    static ByteString sha256(Path file) throws IOException {
        MessageDigest digest = sha256();
        byte[] buffer = new byte[BUFFER_BYTES];
        try (InputStream in = Files.newInputStream(file)) {
            for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
                digest.update(buffer, 0, n);
            }
        }
        return ByteString.copyFrom(digest.digest());
    }

    static ByteString sha256(ByteString bytes) {
        return ByteString.copyFrom(sha256().digest(bytes.toByteArray()));
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("digest: SHA-256 (expected: one that every Java runtime has)", missing);
        }
    }
}
