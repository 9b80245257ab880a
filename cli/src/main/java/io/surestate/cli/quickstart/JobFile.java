package io.surestate.cli.quickstart;

import io.surestate.api.v1.Job;
import io.surestate.manifest.dialect.ManifestReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** The quickstart's job: a file and a script that anybody may look at and submit again. */
final class JobFile {
    static final String NAME = "count-up.yaml";
    private static final String SCRIPT = "count.sh";

    private JobFile() {}

    /** Puts both into {@code folder} and reads the job as {@code job submit -f} would. */
    static Job write(Path folder) {
        try {
            Files.createDirectories(folder);
            Files.writeString(folder.resolve(SCRIPT), resource(SCRIPT));
            String text = resource(NAME).replace("@FOLDER@", folder.toString());
            Files.writeString(folder.resolve(NAME), text);
            return new ManifestReader().readJob(NAME, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = Optional.ofNullable(JobFile.class.getResourceAsStream(name))
                .orElseThrow(() -> new IOException(name + ": not in this build"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
