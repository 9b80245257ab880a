package io.surestate.agent.oci;

import io.surestate.agent.process.DurableFiles;
import io.surestate.api.ImageName;
import io.surestate.api.Names;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.zip.GZIPInputStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The images of a node, unpacked once each: {@code FOLDER/DIGEST/rootfs}. Whatever is unpacked was checked against its digest first. One thread.
 */
public final class ImageStore {
    private static final Logger LOG = LoggerFactory.getLogger(ImageStore.class);
    /** Written at each use; its age is the image's. */
    private static final String LAST_USE = "used";

    private static final String BEING_MADE = ".new";

    private final Settings settings;
    private final Supplier<Set<String>> used;

    /**
     * What images there may be.
     *
     * @param folder of this store alone
     * @param allowed below which images lie
     * @param owners files get the owners that layers say; takes root
     * @param bytesMax of one image's files
     * @param keptMax images that are kept unpacked beside those in use
     */
    public record Settings(Path folder, AllowedFolders allowed, boolean owners, long bytesMax, int keptMax) {}

    /** Begins with what is unpacked already; {@code used} gives the digests of images that something runs from. */
    public ImageStore(Settings settings, Supplier<Set<String>> used) {
        this.settings = settings;
        this.used = used;
    }

    /**
     * The image's files, unpacked if they are not yet; that may take minutes.
     *
     * @throws ImageException if it may not be used, is not there, or is not what its digests say
     */
    public RootFs resolve(ImageName name) throws IOException {
        Path folder = allowed(name.path());
        if (!Files.isDirectory(folder)) {
            throw new ImageException("image: " + folder + " is not there (expected: a folder on this node)");
        }
        if (!ImageLayout.isThere(folder)) {
            if (!name.tag().isEmpty() || !name.digest().isEmpty()) {
                throw new ImageException("image: " + folder
                        + " is a plain folder (expected: an image layout, as a tag or digest is given)");
            }
            return new RootFs(folder, "", Map.of());
        }
        ImageLayout image = ImageLayout.read(new ImageName(folder.toString(), name.tag(), name.digest()));
        return new RootFs(unpacked(image), image.digest(), image.environment());
    }

    private Path allowed(String path) throws IOException {
        Path real = Files.exists(Path.of(path))
                ? Path.of(path).toRealPath()
                : Path.of(path).normalize();
        if (settings.allowed().hold(real)) {
            return real;
        }
        throw new ImageException(Names.message(
                "image",
                path,
                settings.allowed().roots().isEmpty()
                        ? "none, as drivers.images of this node's agent is empty"
                        : "below one of drivers.images of this node's agent: " + settings.allowed()));
    }

    private Path unpacked(ImageLayout image) throws IOException {
        Path home = settings.folder().resolve(image.digest().replace(':', '-'));
        if (!Files.isDirectory(home)) {
            unpack(image, home);
            Files.write(home.resolve(LAST_USE), new byte[0]);
            forgetOldest();
        }
        Files.write(home.resolve(LAST_USE), new byte[0]);
        return home.resolve("rootfs");
    }

    private void unpack(ImageLayout image, Path home) throws IOException {
        Path fresh = home.resolveSibling(home.getFileName() + BEING_MADE);
        DurableFiles.removeTree(Files.createDirectories(fresh));
        Path root = Files.createDirectories(fresh.resolve("rootfs"));
        LayerUnpacker unpacker = new LayerUnpacker(root, settings.owners(), settings.bytesMax());
        try {
            for (ImageLayout.Layer layer : image.layers()) {
                layer.blob().read(in -> {
                    BufferedInputStream content = new BufferedInputStream(in);
                    unpacker.lay(layer.gzip() ? new GZIPInputStream(content) : content);
                    return home;
                });
            }
            Files.move(fresh, home, StandardCopyOption.ATOMIC_MOVE);
            LOG.info(
                    "event=image-unpacked digest={} layers={}",
                    image.digest(),
                    image.layers().size());
        } catch (IOException | RuntimeException e) {
            DurableFiles.removeTree(fresh);
            throw e;
        }
    }

    private void forgetOldest() throws IOException {
        Set<String> inUse = used.get();
        List<Path> idle = new ArrayList<>();
        try (DirectoryStream<Path> homes = Files.newDirectoryStream(settings.folder(), "sha256-*")) {
            for (Path home : homes) {
                if (!inUse.contains(home.getFileName().toString().replace('-', ':'))) {
                    idle.add(home);
                }
            }
        }
        idle.sort(
                Comparator.comparingLong(home -> home.resolve(LAST_USE).toFile().lastModified()));
        for (Path home : idle.subList(0, Math.max(0, idle.size() - settings.keptMax()))) {
            LOG.info("event=image-forgotten folder={}", home);
            DurableFiles.removeTree(home);
        }
    }
}
