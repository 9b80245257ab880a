package io.surestate.agent.oci;

import io.surestate.agent.process.DurableFiles;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/**
 * Lays the layers of an image one over the other in a folder. Not safe between threads.
 *
 * <p>What a layer says stays within the folder, whatever its names and links are. Device nodes and pipes are left out: a task gets its own {@code /dev}.
 * Source: OCI Image Format Specification 1.1, image layer filesystem changeset.
 */
final class LayerUnpacker {
    private static final String WHITEOUT = ".wh.";
    private static final String OPAQUE = ".wh..wh..opq";
    private static final long ENTRIES_MAX = 5_000_000;

    private final Path root;
    private final boolean owners;
    private final long bytesMax;
    private long entries;
    private long bytes;

    /**
     * Begins with an empty folder.
     *
     * @param owners files are given to whom the layers say; takes root
     * @param bytesMax of all files of all layers
     */
    LayerUnpacker(Path root, boolean owners, long bytesMax) {
        this.root = root.toAbsolutePath().normalize();
        this.owners = owners;
        this.bytesMax = bytesMax;
    }

    /** Lays one more. @throws ImageException if it is none, or is more than may be */
    void lay(InputStream layer) throws IOException {
        Set<Path> made = new HashSet<>();
        TarArchiveInputStream tar = new TarArchiveInputStream(layer);
        for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
            count(entry);
            List<String> parts = Inside.parts(entry.getName());
            if (parts.contains("..")) {
                throw new ImageException("layer: entry " + entry.getName() + " (expected: a name without ..)");
            }
            if (!parts.isEmpty()) {
                apply(tar, entry, String.join("/", parts), made);
            }
        }
    }

    private void count(TarArchiveEntry entry) throws ImageException {
        bytes += Math.max(0, entry.getSize());
        if (++entries > ENTRIES_MAX || bytes > bytesMax) {
            throw new ImageException("layers: " + entries + " files, " + bytes + " bytes (expected: at most "
                    + ENTRIES_MAX + " files, " + bytesMax + " bytes)");
        }
    }

    private void apply(InputStream content, TarArchiveEntry entry, String name, Set<Path> made) throws IOException {
        Path target = Inside.of(root, name);
        Path parent = target.resolve("..").normalize();
        Files.createDirectories(parent);
        String last = target.getFileName().toString();
        if (last.equals(OPAQUE)) {
            clear(parent, made);
        } else if (last.startsWith(WHITEOUT)) {
            remove(hidden(parent, last.substring(WHITEOUT.length())));
        } else if (make(content, entry, target)) {
            made.add(target);
            own(entry, target);
        }
    }

    private static Path hidden(Path parent, String name) throws ImageException {
        if (Inside.parts(name).isEmpty() || name.equals("..")) {
            throw new ImageException("layer: entry " + WHITEOUT + name + " (expected: a name to hide)");
        }
        return parent.resolve(name);
    }

    /** Whether there is something now. */
    private boolean make(InputStream content, TarArchiveEntry entry, Path target) throws IOException {
        if (entry.isDirectory()) {
            if (!Inside.isFolder(target)) {
                remove(target);
                Files.createDirectory(target);
            }
            return true;
        }
        if (entry.isCharacterDevice() || entry.isBlockDevice() || entry.isFIFO()) {
            return false;
        }
        if (entry.isLink()) {
            Path to = Inside.of(root, entry.getLinkName());
            if (!Files.isRegularFile(to, LinkOption.NOFOLLOW_LINKS)) {
                throw new ImageException("layer: " + entry.getName() + " is a link to " + entry.getLinkName()
                        + " (expected: to a file)");
            }
            if (!to.equals(target)) {
                remove(target);
                Files.createLink(target, to);
            }
            return true;
        }
        remove(target);
        if (entry.isSymbolicLink()) {
            Files.createSymbolicLink(target, Path.of(entry.getLinkName()));
        } else {
            try (var out = Files.newOutputStream(target, StandardOpenOption.CREATE_NEW)) {
                content.transferTo(out);
            }
        }
        return true;
    }

    private void own(TarArchiveEntry entry, Path target) throws IOException {
        if (entry.isLink()) {
            return;
        }
        if (owners) {
            Files.setAttribute(target, "unix:uid", (int) entry.getLongUserId(), LinkOption.NOFOLLOW_LINKS);
            Files.setAttribute(target, "unix:gid", (int) entry.getLongGroupId(), LinkOption.NOFOLLOW_LINKS);
        }
        if (!entry.isSymbolicLink()) {
            Files.setAttribute(target, "unix:mode", entry.getMode() & 07777);
            Files.setLastModifiedTime(target, entry.getLastModifiedTime());
        }
    }

    /** What lower layers have in a folder is not seen any more. */
    private static void clear(Path folder, Set<Path> made) throws IOException {
        try (DirectoryStream<Path> children = Files.newDirectoryStream(folder)) {
            for (Path child : children) {
                if (!made.contains(child)) {
                    remove(child);
                }
            }
        }
    }

    private static void remove(Path path) throws IOException {
        if (Inside.exists(path)) {
            DurableFiles.removeTree(path);
        }
    }
}
