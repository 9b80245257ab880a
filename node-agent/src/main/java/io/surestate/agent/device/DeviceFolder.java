package io.surestate.agent.device;

import com.google.protobuf.InvalidProtocolBufferException;
import io.surestate.agent.process.DurableFiles;
import io.surestate.api.Limits;
import io.surestate.api.v1.NodeSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What outlives the agent of its devices: their numbers, a line each, and what each source last found. A damaged file is set aside. One
 * thread at a time.
 */
final class DeviceFolder {
    private static final Logger LOG = LoggerFactory.getLogger(DeviceFolder.class);
    private static final Pattern LINE = Pattern.compile("([0-9]{1,4}) ([0-9]{1,18}) (.{1,600})");
    private static final String ORDINALS = "ordinals";

    private final Path folder;

    DeviceFolder(Path folder) {
        this.folder = folder;
        try {
            Files.createDirectories(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Empty = they were damaged and are set aside. */
    Optional<Ordinals> ordinals() {
        Path file = folder.resolve(ORDINALS);
        try {
            return Optional.of(parse(Files.readString(file, StandardCharsets.UTF_8)));
        } catch (NoSuchFileException first) {
            return Optional.of(Ordinals.NONE);
        } catch (IOException | IllegalArgumentException damaged) {
            setAside(file, damaged);
            return Optional.empty();
        }
    }

    private static Ordinals parse(String text) {
        Map<String, Ordinals.Place> places = new TreeMap<>();
        long generation = 0;
        java.util.Set<Integer> taken = new java.util.HashSet<>();
        for (String line : text.lines().toList()) {
            Matcher form = LINE.matcher(line);
            if (!form.matches()) {
                throw new IllegalArgumentException("line: " + line);
            }
            int ordinal = Integer.parseInt(form.group(1));
            long seen = Long.parseLong(form.group(2));
            if (ordinal >= Limits.DEVICES_PER_NODE_MAX
                    || !taken.add(ordinal)
                    || places.put(form.group(3), new Ordinals.Place(ordinal, seen)) != null) {
                throw new IllegalArgumentException("line: " + line);
            }
            generation = Math.max(generation, seen);
        }
        return new Ordinals(places, generation);
    }

    void save(Ordinals ordinals) {
        StringBuilder text = new StringBuilder();
        ordinals.places()
                .forEach((key, place) -> text.append(place.ordinal())
                        .append(' ')
                        .append(place.seen())
                        .append(' ')
                        .append(key)
                        .append('\n'));
        replace(folder.resolve(ORDINALS), text.toString().getBytes(StandardCharsets.UTF_8));
    }

    /** With the numbers under which the ledger knows the devices; empty = it found none yet. */
    Optional<NodeSpec> found(String source) {
        Path file = foundFile(source);
        try {
            return Optional.of(NodeSpec.parseFrom(Files.readAllBytes(file)));
        } catch (NoSuchFileException never) {
            return Optional.empty();
        } catch (InvalidProtocolBufferException damaged) {
            setAside(file, damaged);
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void save(String source, NodeSpec found) {
        replace(foundFile(source), found.toByteArray());
    }

    private Path foundFile(String source) {
        return folder.resolve("found-" + source.replaceAll("[^A-Za-z0-9.-]", "_"));
    }

    private static void replace(Path file, byte[] content) {
        try {
            DurableFiles.replace(file, content);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void setAside(Path file, Exception why) {
        Path aside = file.resolveSibling(file.getFileName() + ".damaged");
        LOG.error("event=damaged file={} kept_as={} error=\"{}\"", file, aside, why.toString());
        try {
            Files.move(file, aside, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
