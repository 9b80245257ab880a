package io.surestate.cli.node;

import io.surestate.api.Limits;
import io.surestate.api.Names;
import io.surestate.api.v1.Node;
import io.surestate.cli.CliException;
import io.surestate.manifest.hardware.Hardware;
import io.surestate.manifest.hardware.HardwareException;
import io.surestate.manifest.hardware.HardwareFormat;
import io.surestate.manifest.hardware.HardwareSource;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * A file that describes hardware, as it was named on the command line. Immutable.
 *
 * @param file {@code -} = standard input
 * @param model of devices whose file does not say it; empty = unknown
 * @param name of the one node that the file describes; empty = as the file says, or as the file is called
 */
public record HardwareFile(String file, HardwareFormat format, String model, String name) {
    private static final String STANDARD_INPUT = "-";

    /** Every node has a name, each another one. */
    public Hardware read(InputStream in) {
        String source = file.equals(STANDARD_INPUT) ? "standard input" : file;
        Hardware read = format.read(new HardwareSource(source, text(source, in), model));
        if (!name.isEmpty()) {
            if (read.nodes().size() != 1) {
                throw CliException.usage("--name: " + name + " (expected: not given, the file describes "
                        + read.nodes().size() + " nodes)");
            }
            check("--name", name);
            return new Hardware(List.of(named(read.nodes().get(0), name)), read.notes());
        }
        List<Node> nodes = read.nodes().stream()
                .map(node -> node.getName().isEmpty() ? named(node, nameOfFile()) : node)
                .toList();
        nodes.forEach(node -> check("name", node.getName()));
        if (nodes.stream().map(Node::getName).distinct().count() != nodes.size()) {
            throw new HardwareException(source + ": two nodes of one name (expected: each another one)");
        }
        return new Hardware(nodes, read.notes());
    }

    private static void check(String field, String name) {
        Names.subdomainProblem(field, name).ifPresent(problem -> {
            throw CliException.usage(problem);
        });
    }

    private static Node named(Node node, String name) {
        return node.toBuilder().setName(name).build();
    }

    /** The file's own name without its ending, as a node may be called. */
    private String nameOfFile() {
        Path last = file.equals(STANDARD_INPUT) ? null : Path.of(file).getFileName();
        String plain = last == null ? "" : last.toString().replaceFirst("\\.[A-Za-z0-9]+$", "");
        String label =
                plain.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-+", "");
        String cut = label.substring(0, Math.min(Limits.LABEL_CHARS_MAX, label.length()))
                .replaceAll("-+$", "");
        return cut.isEmpty() ? "node" : cut;
    }

    private String text(String source, InputStream in) {
        if (file.equals(STANDARD_INPUT)) {
            return decode(source, in);
        }
        try (InputStream opened = Files.newInputStream(Path.of(file))) {
            return decode(source, opened);
        } catch (NoSuchFileException missing) {
            throw CliException.usage(file + ": no such file (expected: " + format.word() + ")");
        } catch (IOException unreadable) {
            throw CliException.usage(file + ": cannot be read: " + unreadable.getMessage());
        }
    }

    private String decode(String source, InputStream in) {
        try {
            byte[] bytes = in.readNBytes(Limits.HARDWARE_FILE_BYTES_MAX + 1);
            if (bytes.length > Limits.HARDWARE_FILE_BYTES_MAX) {
                throw new HardwareException(
                        source + ": too large (expected: at most " + Limits.HARDWARE_FILE_BYTES_MAX + " bytes)");
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (CharacterCodingException notText) {
            throw new HardwareException(source + ": not UTF-8 text (expected: " + format.word() + ")");
        } catch (IOException unreadable) {
            throw CliException.usage(source + ": cannot be read: " + unreadable.getMessage());
        }
    }
}
