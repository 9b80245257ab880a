package io.surestate.testkit.example;

import java.nio.file.Files;
import java.nio.file.Path;

/** Files of this repository, wherever below it the tests run. */
final class Repository {
    private Repository() {}

    static Path file(String path) {
        Path folder = Path.of("").toAbsolutePath();
        while (folder != null && !Files.exists(folder.resolve("proto/pom.xml"))) {
            folder = folder.getParent();
        }
        if (folder == null) {
            throw new IllegalStateException(
                    "folder: " + Path.of("").toAbsolutePath() + " (expected: in the repository)");
        }
        return folder.resolve(path);
    }
}
