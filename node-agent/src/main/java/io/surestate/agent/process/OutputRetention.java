package io.surestate.agent.process;

import io.surestate.api.Limits;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the output of the newest ended attempts and removes everything else of them. One thread at a time. */
final class OutputRetention {
    private static final Logger LOG = LoggerFactory.getLogger(OutputRetention.class);

    private final Path tasksDir;
    /** Oldest first. */
    private final ArrayDeque<Kept> kept = new ArrayDeque<>();

    private long keptBytes;

    OutputRetention(Path tasksDir) {
        this.tasksDir = tasksDir;
    }

    private record Kept(TaskFolder folder, FileTime ended, long bytes) {}

    /** From here on no later agent takes the task for a live one. */
    void forget(TaskFolder folder) throws IOException {
        if (Files.exists(folder.journal())) {
            Files.move(folder.journal(), folder.endedMark(), StandardCopyOption.ATOMIC_MOVE);
        } else if (Files.exists(folder.path())) {
            folder.mark(folder.endedMark());
        }
    }

    /**
     * Strips one ended task's folder to its output, beside which only a damaged journal stays for people to look at, and lets go
     * of what is beyond the bounds.
     */
    void retire(TaskFolder folder) {
        if (!Files.exists(folder.path())) {
            return;
        }
        try {
            strip(folder);
            if (isRetired(folder)) {
                keep(kept(folder));
                prune();
            }
        } catch (IOException e) {
            LOG.warn("event=retire-failed folder={} error=\"{}\"", folder.path(), e.toString());
        }
    }

    private static void strip(TaskFolder folder) throws IOException {
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder.path())) {
            for (Path entry : entries) {
                boolean last = entry.equals(folder.endedMark());
                if (!last && !entry.equals(folder.output()) && !entry.toString().endsWith(Journal.CORRUPT)) {
                    DurableFiles.removeTree(entry);
                }
            }
        }
        Files.deleteIfExists(folder.endedMark());
    }

    /** Finishes what an earlier agent began, and counts what it kept. To be called before anything is retired. */
    void sweep() {
        try {
            List<Kept> found = new ArrayList<>();
            try (DirectoryStream<Path> folders = Files.newDirectoryStream(tasksDir)) {
                for (Path path : folders) {
                    TaskFolder folder = new TaskFolder(path);
                    if (Files.exists(folder.endedMark())) {
                        strip(folder);
                    }
                    if (isRetired(folder)) {
                        found.add(kept(folder));
                    }
                }
            }
            found.sort(Comparator.comparing(Kept::ended));
            found.forEach(this::keep);
            prune();
        } catch (IOException e) {
            LOG.warn("event=sweep-failed folder={} error=\"{}\"", tasksDir, e.toString());
        }
    }

    private Kept kept(TaskFolder folder) throws IOException {
        return new Kept(folder, Files.getLastModifiedTime(folder.path()), bytes(folder.output()));
    }

    private void keep(Kept output) {
        kept.add(output);
        keptBytes += output.bytes();
    }

    private void prune() throws IOException {
        while (kept.size() > Limits.OUTPUT_ATTEMPTS_KEPT || keptBytes > Limits.OUTPUT_BYTES_KEPT) {
            Kept oldest = kept.remove();
            keptBytes -= oldest.bytes();
            DurableFiles.removeTree(oldest.folder().path());
        }
    }

    /** Nothing is left but the output; a folder that is being filled for a start always holds more. */
    private static boolean isRetired(TaskFolder folder) throws IOException {
        try (Stream<Path> entries = Files.list(folder.path())) {
            List<Path> all = entries.toList();
            return all.size() == 1 && all.get(0).equals(folder.output());
        }
    }

    private static long bytes(Path folder) throws IOException {
        long bytes = 0;
        try (DirectoryStream<Path> parts = Files.newDirectoryStream(folder)) {
            for (Path part : parts) {
                bytes += Files.size(part);
            }
        }
        return bytes;
    }
}
