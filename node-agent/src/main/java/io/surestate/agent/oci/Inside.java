package io.surestate.agent.oci;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** Finds names in a file system tree as a process would whose root it is: nothing leads out of it, neither {@code ..} nor a symbolic link. */
final class Inside {
    private static final int LINKS_MAX = 40;

    private Inside() {}

    /**
     * The folder that {@code name} lies in, with every symbolic link on the way followed within {@code root}, and its own last part, not followed.
     *
     * @throws ImageException if links lead round in a circle
     */
    static Path of(Path root, String name) throws IOException {
        Deque<String> left = new ArrayDeque<>(parts(name));
        Path at = root;
        int links = 0;
        while (!left.isEmpty()) {
            String part = left.pop();
            if (part.equals("..")) {
                at = at.equals(root) ? root : at.resolveSibling("").normalize();
                continue;
            }
            Path next = at.resolve(part);
            if (!left.isEmpty() && Files.isSymbolicLink(next)) {
                if (++links > LINKS_MAX) {
                    throw new ImageException(name + ": more than " + LINKS_MAX + " symbolic links");
                }
                String target = Files.readSymbolicLink(next).toString();
                if (target.startsWith("/")) {
                    at = root;
                }
                List<String> steps = parts(target);
                for (int i = steps.size() - 1; i >= 0; i--) {
                    left.push(steps.get(i));
                }
            } else {
                at = next;
            }
        }
        return at;
    }

    /** Names between slashes, without those that mean nothing. */
    static List<String> parts(String name) {
        return List.of(name.split("/", -1)).stream()
                .filter(part -> !part.isEmpty() && !part.equals("."))
                .toList();
    }

    static boolean exists(Path path) {
        return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }

    static boolean isFolder(Path path) {
        return Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS);
    }
}
