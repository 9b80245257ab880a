package io.surestate.agent.oci;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.surestate.api.ImageName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An image of an OCI image layout: which blobs it is made of. Immutable.
 *
 * <p>Source: OCI Image Format Specification 1.1, image layout, index, manifest and configuration.
 *
 * @param digest of its manifest
 * @param layers bottom first
 * @param environment as its configuration says
 */
record ImageLayout(String digest, List<Layer> layers, Map<String, String> environment) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String TAG = "org.opencontainers.image.ref.name";
    /** As the format calls what the JDK calls otherwise. */
    private static final Map<String, String> ARCHITECTURES = Map.of("aarch64", "arm64", "x86_64", "amd64");

    private static final int DOCUMENT_BYTES_MAX = 4 << 20;
    private static final int LAYERS_MAX = 256;
    private static final int NESTED_MAX = 4;

    ImageLayout {
        layers = List.copyOf(layers);
    }

    /** One layer's blob, and whether it is compressed with gzip. */
    record Layer(Blob blob, boolean gzip) {}

    /** Whether the folder is a layout rather than a root file system. */
    static boolean isThere(Path folder) {
        return Files.isRegularFile(folder.resolve("oci-layout"));
    }

    /** Finds the image in its layout. @throws ImageException if it is not there or not whole */
    static ImageLayout read(ImageName name) throws IOException {
        Path folder = Path.of(name.path());
        JsonNode index;
        try {
            index = parse(folder, Files.readAllBytes(folder.resolve("index.json")));
        } catch (IOException e) {
            throw new ImageException("image " + folder + ": index.json: " + e.getMessage());
        }
        String digest = choose(folder, name, index.path("manifests"));
        JsonNode manifest = document(folder, digest);
        for (int depth = 0; manifest.has("manifests"); depth++) {
            if (depth == NESTED_MAX) {
                throw new ImageException(
                        "image " + folder + ": indexes within indexes (expected: at most " + NESTED_MAX + ")");
            }
            digest = ofThisMachine(folder, manifest.path("manifests"));
            manifest = document(folder, digest);
        }
        return new ImageLayout(digest, layers(folder, manifest), environment(folder, manifest));
    }

    private static String choose(Path folder, ImageName name, JsonNode manifests) throws ImageException {
        List<String> tags = new ArrayList<>();
        for (JsonNode entry : manifests) {
            String tag = entry.path("annotations").path(TAG).asText();
            String digest = entry.path("digest").asText();
            tags.add(tag.isEmpty() ? digest : tag);
            boolean asked = name.digest().isEmpty()
                    ? name.tag().equals(tag) || (name.tag().isEmpty() && manifests.size() == 1)
                    : name.digest().equals(digest);
            if (asked) {
                return digest;
            }
        }
        String asked = name.digest().isEmpty() ? "tag \"" + name.tag() + "\"" : name.digest();
        throw new ImageException(
                "image " + folder + ": no " + asked + " (expected: one of " + String.join(", ", tags) + ")");
    }

    private static String ofThisMachine(Path folder, JsonNode manifests) throws ImageException {
        String architecture = ARCHITECTURES.getOrDefault(System.getProperty("os.arch"), System.getProperty("os.arch"));
        for (JsonNode entry : manifests) {
            if (entry.path("platform").path("architecture").asText().equals(architecture)
                    && entry.path("platform").path("os").asText().equals("linux")) {
                return entry.path("digest").asText();
            }
        }
        throw new ImageException("image " + folder + ": none for linux/" + architecture);
    }

    private static List<Layer> layers(Path folder, JsonNode manifest) throws ImageException {
        List<Layer> layers = new ArrayList<>();
        for (JsonNode entry : manifest.path("layers")) {
            String type = entry.path("mediaType").asText();
            boolean gzip = type.endsWith("+gzip") || type.endsWith(".gzip");
            if (!gzip && !type.endsWith(".tar")) {
                throw new ImageException(
                        "image " + folder + ": a layer of type " + type + " (expected: tar, plain or with gzip)");
            }
            layers.add(new Layer(blob(folder, entry.path("digest").asText()), gzip));
        }
        if (layers.isEmpty() || layers.size() > LAYERS_MAX) {
            throw new ImageException(
                    "image " + folder + ": " + layers.size() + " layers (expected: 1-" + LAYERS_MAX + ")");
        }
        return layers;
    }

    private static Map<String, String> environment(Path folder, JsonNode manifest) throws IOException {
        Map<String, String> environment = new LinkedHashMap<>();
        JsonNode config =
                document(folder, manifest.path("config").path("digest").asText());
        for (JsonNode variable : config.path("config").path("Env")) {
            String text = variable.asText();
            int equals = text.indexOf('=');
            if (equals > 0 && text.indexOf(0) < 0) {
                environment.put(text.substring(0, equals), text.substring(equals + 1));
            }
        }
        return environment;
    }

    private static JsonNode document(Path folder, String digest) throws IOException {
        return parse(folder, blob(folder, digest).read(in -> in.readNBytes(DOCUMENT_BYTES_MAX)));
    }

    private static Blob blob(Path folder, String digest) throws ImageException {
        try {
            return new Blob(folder, digest);
        } catch (IllegalArgumentException e) {
            throw new ImageException("image " + folder + ": " + e.getMessage());
        }
    }

    private static JsonNode parse(Path folder, byte[] text) throws ImageException {
        try {
            return JSON.readTree(text);
        } catch (IOException e) {
            throw new ImageException("image " + folder + ": not JSON: " + e.getMessage());
        }
    }
}
