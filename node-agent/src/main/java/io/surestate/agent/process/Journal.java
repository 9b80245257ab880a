package io.surestate.agent.process;

import io.surestate.api.v1.DesiredTask;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.zip.CRC32C;

/**
 * What was started, on disk before it starts. One small file per allocation, whole or not there: the script that becomes the task, and
 * as a remark at its end the start. Holds no state.
 */
final class Journal {
    /** How a damaged entry's file name ends. */
    static final String CORRUPT = ".corrupt";

    private static final String REMARK = "# ";
    private static final int MAGIC = 0x53534a31;
    private static final int CHECKSUM_BYTES = 8;

    private Journal() {}

    /**
     * A start.
     *
     * @param incarnation agent process that decided it; names the launcher's claim
     * @param bootId the machine's boot during which it was decided
     */
    record Start(DesiredTask task, String incarnation, String bootId) {}

    /** @param script ends with a whole line and by giving way to the program */
    static void write(TaskFolder folder, Start start, String script) throws IOException {
        String text = script + REMARK + Base64.getEncoder().encodeToString(encode(start)) + '\n';
        DurableFiles.replace(folder.journal(), text.getBytes(StandardCharsets.UTF_8));
    }

    /** Empty if there is none. @throws CorruptException if its content is not what was written */
    static Optional<Start> read(TaskFolder folder) throws IOException {
        try {
            return Optional.of(decode(remark(Files.readString(folder.journal(), StandardCharsets.ISO_8859_1))));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** Keeps a damaged entry for people to look at, out of the way. */
    static void setAside(TaskFolder folder) throws IOException {
        Path journal = folder.journal();
        Files.move(
                journal,
                journal.resolveSibling(journal.getFileName() + CORRUPT),
                java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    }

    private static byte[] remark(String text) throws IOException {
        int at = text.lastIndexOf(REMARK);
        if (at < 0 || !text.endsWith("\n")) {
            throw new CorruptException("journal: cut off (expected: a script and a remark)");
        }
        try {
            return Base64.getDecoder().decode(text.substring(at + REMARK.length(), text.length() - 1));
        } catch (IllegalArgumentException e) {
            throw new CorruptException("journal: " + e.getMessage());
        }
    }

    private static byte[] encode(Start start) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(MAGIC);
            out.writeUTF(start.incarnation());
            out.writeUTF(start.bootId());
            byte[] task = start.task().toByteArray();
            out.writeInt(task.length);
            out.write(task);
            out.writeLong(checksum(bytes.toByteArray()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static Start decode(byte[] bytes) throws IOException {
        if (bytes.length < CHECKSUM_BYTES) {
            throw new CorruptException("journal: " + bytes.length + " bytes (expected: more)");
        }
        byte[] content = Arrays.copyOf(bytes, bytes.length - CHECKSUM_BYTES);
        long stored = ByteBuffer.wrap(bytes, content.length, CHECKSUM_BYTES).getLong();
        if (stored != checksum(content)) {
            throw new CorruptException("journal: checksum " + stored + " (expected: " + checksum(content) + ")");
        }
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(content));
        if (in.readInt() != MAGIC) {
            throw new CorruptException("journal: unknown kind (expected: a task's start)");
        }
        String incarnation = in.readUTF();
        String bootId = in.readUTF();
        byte[] task = in.readNBytes(in.readInt());
        return new Start(DesiredTask.parseFrom(task), incarnation, bootId);
    }

    private static long checksum(byte[] bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return crc.getValue();
    }

    /** The entry is not what was written. */
    static final class CorruptException extends IOException {
        private static final long serialVersionUID = 1L;

        CorruptException(String message) {
            super(message);
        }
    }
}
