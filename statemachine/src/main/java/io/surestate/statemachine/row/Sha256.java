package io.surestate.statemachine.row;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** SHA-256 over rows and sums. Used by one thread. */
final class Sha256 {
    private final MessageDigest digest;

    Sha256() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException("digest: SHA-256 (expected: one that every Java runtime has)", missing);
        }
    }

    /** The sum of one row. */
    Sum rowSum(ByteString key, ByteString value) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(key.size()).flip());
        digest.update(key.asReadOnlyByteBuffer());
        digest.update(value.asReadOnlyByteBuffer());
        ByteBuffer hash = ByteBuffer.wrap(digest.digest());
        return new Sum(hash.getLong(), hash.getLong());
    }

    ByteString hash(ByteBuffer... parts) {
        for (ByteBuffer part : parts) {
            digest.update(part);
        }
        return ByteString.copyFrom(digest.digest());
    }
}
