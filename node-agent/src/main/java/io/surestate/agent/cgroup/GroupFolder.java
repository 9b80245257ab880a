package io.surestate.agent.cgroup;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** A folder of a cgroup file system: what both versions do alike. Holds no state. */
final class GroupFolder {
    static final String PROCESSES = "cgroup.procs";

    private GroupFolder() {}

    /** Writes to one of the kernel's files, in one piece. @throws IOException naming file and value */
    static void set(Path folder, String file, String value) throws IOException {
        try {
            Files.writeString(
                    folder.resolve(file),
                    value,
                    StandardCharsets.US_ASCII,
                    StandardOpenOption.WRITE,
                    StandardOpenOption.CREATE);
        } catch (IOException e) {
            throw new IOException(folder.resolve(file) + ": " + value + " refused by the kernel: " + e.getMessage(), e);
        }
    }

    static String get(Path folder, String file) throws IOException {
        return Files.readString(folder.resolve(file), StandardCharsets.US_ASCII).strip();
    }

    static List<Long> processes(Path folder) throws IOException {
        List<Long> found = new ArrayList<>();
        try {
            for (String line : Files.readAllLines(folder.resolve(PROCESSES), StandardCharsets.US_ASCII)) {
                found.add(Long.parseLong(line));
            }
            for (Path child : children(folder)) {
                found.addAll(processes(child));
            }
        } catch (IOException e) {
            // Reading the list of a group that is being removed fails in more than one way.
            if (Files.isDirectory(folder)) {
                throw e;
            }
        }
        return found;
    }

    /** Removes the folder and those in it. True = it is not there any more. */
    static boolean remove(Path folder) {
        try {
            for (Path child : children(folder)) {
                remove(child);
            }
            Files.deleteIfExists(folder);
        } catch (IOException busy) {
            return !Files.exists(folder);
        }
        return true;
    }

    /** A number after a word in a file of such lines; 0 where it is not there. */
    static long count(Path folder, String file, String word) {
        try {
            return Files.readAllLines(folder.resolve(file), StandardCharsets.US_ASCII).stream()
                    .filter(line -> line.startsWith(word + " "))
                    .mapToLong(line -> Long.parseLong(line.substring(word.length() + 1)))
                    .findFirst()
                    .orElse(0);
        } catch (IOException notThere) {
            return 0;
        }
    }

    static List<Path> children(Path folder) throws IOException {
        List<Path> found = new ArrayList<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(folder, Files::isDirectory)) {
            folders.forEach(found::add);
        } catch (NoSuchFileException e) {
            return List.of();
        }
        return found;
    }
}
