package io.surestate.sim.batch;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;

/** Published traces, which stand beside the project where they are at hand. */
public final class SharedData {
    /** Seen from a module's folder; {@code -Dsurestate.data=FOLDER} says otherwise. */
    private static final Path FOLDER = Path.of(System.getProperty("surestate.data", "../../shared/data"));

    private SharedData() {}

    /** The file; the test is skipped where it is not at hand. */
    public static Path file(String name) {
        Path file = FOLDER.resolve(name);
        Assumptions.assumeTrue(
                Files.isReadable(file), () -> file.toAbsolutePath().normalize() + ": not at hand");
        return file;
    }
}
