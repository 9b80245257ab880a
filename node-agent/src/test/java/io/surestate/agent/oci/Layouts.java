package io.surestate.agent.oci;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Collectors;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/** Writes OCI image layouts. */
public final class Layouts {
    private final Path folder;
    private final List<String> layers = new ArrayList<>();

    public Layouts(Path folder) {
        this.folder = folder;
    }

    /** A layer in the making. */
    public static final class Layer {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes);

        public Layer file(String name, String content) throws IOException {
            return put(new TarArchiveEntry(name, true), content, 0644);
        }

        public Layer program(String name, byte[] content) throws IOException {
            TarArchiveEntry entry = new TarArchiveEntry(name, true);
            entry.setMode(0755);
            entry.setSize(content.length);
            tar.putArchiveEntry(entry);
            tar.write(content);
            tar.closeArchiveEntry();
            return this;
        }

        public Layer folder(String name) throws IOException {
            return put(new TarArchiveEntry(name + "/", true), "", 0755);
        }

        public Layer symlink(String name, String target) throws IOException {
            TarArchiveEntry entry = new TarArchiveEntry(name, TarConstants.LF_SYMLINK, true);
            entry.setLinkName(target);
            return put(entry, "", 0777);
        }

        public Layer link(String name, String target) throws IOException {
            TarArchiveEntry entry = new TarArchiveEntry(name, TarConstants.LF_LINK, true);
            entry.setLinkName(target);
            return put(entry, "", 0644);
        }

        private Layer put(TarArchiveEntry entry, String content, int mode) throws IOException {
            byte[] text = content.getBytes(StandardCharsets.UTF_8);
            entry.setMode(mode);
            entry.setSize(text.length);
            tar.putArchiveEntry(entry);
            tar.write(text);
            tar.closeArchiveEntry();
            return this;
        }

        byte[] zipped() throws IOException {
            tar.finish();
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
                gzip.write(bytes.toByteArray());
            }
            return packed.toByteArray();
        }
    }

    /** Adds a layer, compressed with gzip. */
    public Layouts with(Layer layer) throws IOException {
        layers.add(blob(layer.zipped()));
        return this;
    }

    /** Writes the rest; gives the manifest's digest. */
    public String tagged(String tag, String... environment) throws IOException {
        String env = List.of(environment).stream().map(text -> '"' + text + '"').collect(Collectors.joining(","));
        String config = blob(text("{\"config\":{\"Env\":[" + env + "]}}"));
        String all = layers.stream()
                .map(digest ->
                        "{\"mediaType\":\"application/vnd.oci.image.layer.v1.tar+gzip\",\"digest\":\"" + digest + "\"}")
                .collect(Collectors.joining(","));
        String manifest = blob(text("{\"config\":{\"digest\":\"" + config + "\"},\"layers\":[" + all + "]}"));
        Files.writeString(folder.resolve("oci-layout"), "{\"imageLayoutVersion\":\"1.0.0\"}");
        Files.writeString(
                folder.resolve("index.json"),
                "{\"manifests\":[{\"digest\":\"" + manifest
                        + "\",\"annotations\":{\"org.opencontainers.image.ref.name\":\"" + tag + "\"}}]}");
        return manifest;
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    Path file(String digest) {
        return folder.resolve("blobs/sha256").resolve(digest.substring("sha256:".length()));
    }

    String blob(byte[] content) throws IOException {
        String hex;
        try {
            hex = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
        Files.createDirectories(folder.resolve("blobs/sha256"));
        Files.write(folder.resolve("blobs/sha256").resolve(hex), content);
        return "sha256:" + hex;
    }
}
