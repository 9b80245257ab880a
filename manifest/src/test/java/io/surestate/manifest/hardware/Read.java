package io.surestate.manifest.hardware;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.surestate.api.v1.Link;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeSpec;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Short ways to read a text. */
final class Read {
    private Read() {}

    static Hardware all(HardwareFormat format, String text) {
        return format.read(new HardwareSource("file", text, ""));
    }

    /** Of the one machine. */
    static NodeSpec spec(HardwareFormat format, String text) {
        return spec(format, text, "");
    }

    static NodeSpec spec(HardwareFormat format, String text, String model) {
        Hardware read = format.read(new HardwareSource("file", text, model));
        assertThat(read.nodes()).hasSize(1);
        return read.nodes().get(0).getSpec();
    }

    static Node node(Hardware read, String name) {
        return read.nodes().stream()
                .filter(node -> node.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    static String problem(HardwareFormat format, String text) {
        HardwareException refused = catchThrowableOfType(HardwareException.class, () -> all(format, text));
        assertThat(refused).isNotNull();
        return String.valueOf(refused.getMessage());
    }

    /** Of one link; 0 = its bandwidth is unknown. */
    static long bandwidth(NodeSpec spec, int from, int to) {
        return spec.getLinksList().stream()
                .filter(link -> link.getFromOrdinal() == from && link.getToOrdinal() == to)
                .mapToLong(Link::getBitsPerSecond)
                .findFirst()
                .orElseThrow();
    }

    /** A real file; the test is skipped where it is not there. */
    static String real(String file) {
        Path folder = Path.of(System.getProperty("surestate.data", "../../shared/data"));
        Path path = folder.resolve("hw").resolve(file);
        assumeTrue(Files.isReadable(path), () -> "skipped: " + path + " is not here");
        try {
            return Files.readString(path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
