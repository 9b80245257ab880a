package io.surestate.statemachine.row;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import java.nio.ByteBuffer;

/** Keys and values of history rows. */
public final class HistoryRows {
    private static final int JOB = 1;
    private static final int NAME = 2;
    private static final int TASK = 3;
    private static final int EVENT = 4;
    private static final int ALLOCATION = 5;
    private static final int ALLOCATION_OF_NODE = 6;
    private static final int ALLOCATION_OF_JOB = 7;

    private HistoryRows() {}

    public static ByteString jobs() {
        return new KeyWriter(JOB).done();
    }

    public static ByteString job(String uid) {
        return new KeyWriter(JOB).text(uid).done();
    }

    /** Rows that list the finished jobs of one name, the older before the newer. */
    public static ByteString named(String tenant, String name) {
        return new KeyWriter(NAME).text(tenant).text(name).done();
    }

    static ByteString named(String tenant, String name, String uid) {
        return new KeyWriter(NAME).text(tenant).text(name).text(uid).done();
    }

    public static ByteString tasks(String uid) {
        return new KeyWriter(TASK).text(uid).done();
    }

    public static ByteString task(String uid, int attempt, String group, int index) {
        return new KeyWriter(TASK)
                .text(uid)
                .number(attempt)
                .text(group)
                .number(index)
                .done();
    }

    public static ByteString events(String uid) {
        return new KeyWriter(EVENT).text(uid).done();
    }

    public static ByteString event(String uid, int ordinal) {
        return new KeyWriter(EVENT).text(uid).number(ordinal).done();
    }

    /** Rows of how an allocation changed, the earlier before the later. */
    public static ByteString allocation(String id) {
        return new KeyWriter(ALLOCATION).text(id).done();
    }

    static ByteString allocation(String id, long revision, int ordinal) {
        return new KeyWriter(ALLOCATION)
                .text(id)
                .number(revision)
                .number(ordinal)
                .done();
    }

    /** Rows that list the allocations that ever were on a node, the older before the newer. */
    public static ByteString allocationsOfNode(String node) {
        return new KeyWriter(ALLOCATION_OF_NODE).text(node).done();
    }

    public static ByteString allocationOfNode(String node, String id) {
        return new KeyWriter(ALLOCATION_OF_NODE).text(node).text(id).done();
    }

    /** Rows that list the allocations that a job ever had, the older before the newer. */
    public static ByteString allocationsOfJob(String uid) {
        return new KeyWriter(ALLOCATION_OF_JOB).text(uid).done();
    }

    public static ByteString allocationOfJob(String uid, String id) {
        return new KeyWriter(ALLOCATION_OF_JOB).text(uid).text(id).done();
    }

    static ByteString value(long revision, MessageLite message) {
        return revisionBytes(revision).concat(message.toByteString());
    }

    static ByteString value(long revision, String text) {
        return revisionBytes(revision).concat(ByteString.copyFromUtf8(text));
    }

    /** The revision at which a row was written. */
    public static long revision(ByteString value) {
        return value.asReadOnlyByteBuffer().getLong();
    }

    /** What was written. */
    public static ByteString content(ByteString value) {
        return value.substring(Long.BYTES);
    }

    private static ByteString revisionBytes(long revision) {
        return ByteString.copyFrom(
                ByteBuffer.allocate(Long.BYTES).putLong(revision).flip());
    }
}
