package io.surestate.agent.oci;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An image as a task can start from it. Immutable.
 *
 * @param folder its files; several tasks share it, none writes to it
 * @param digest of the image's manifest; empty where the image is just a folder
 * @param environment that the image comes with
 */
public record RootFs(Path folder, String digest, Map<String, String> environment) {
    public RootFs {
        environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    }
}
