package io.surestate.agent.oci;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Folders of the node that tasks may use what lies below. Immutable.
 *
 * @param roots absolute
 */
public record AllowedFolders(List<Path> roots) {
    public AllowedFolders {
        roots = List.copyOf(roots);
    }

    /** Whether a path lies in one of them, its symbolic links followed already: a link is no way around. */
    public boolean hold(Path real) throws IOException {
        for (Path root : roots) {
            if (real.startsWith(Files.exists(root) ? root.toRealPath() : root)) {
                return true;
            }
        }
        return false;
    }

    /** For people. */
    @Override
    public String toString() {
        return roots.toString();
    }
}
