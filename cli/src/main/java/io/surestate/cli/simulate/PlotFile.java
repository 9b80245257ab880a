package io.surestate.cli.simulate;

import io.surestate.api.Names;
import io.surestate.cli.CliException;
import io.surestate.sim.report.CurvePage;
import io.surestate.sim.report.CurvePicture;
import io.surestate.sim.report.Curves;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Supplier;

/** Where the curves go, if anywhere. Immutable. */
final class PlotFile {
    private static final String HTML = ".html";
    private static final String SVG = ".svg";

    private final Optional<Path> file;

    private PlotFile(Optional<Path> file) {
        this.file = file;
    }

    /** Looks before the work begins whether the result could be written. */
    static PlotFile of(String text) {
        if (text.isEmpty()) {
            return new PlotFile(Optional.empty());
        }
        if (!text.endsWith(HTML) && !text.endsWith(SVG)) {
            throw CliException.usage(Names.message("--plot", text, "a file name that ends in .html or .svg"));
        }
        Path file = Path.of(text);
        Path folder = file.toAbsolutePath().getParent();
        if (folder == null || !Files.isWritable(folder) || Files.isDirectory(file)) {
            throw CliException.usage(Names.message("--plot", text, "a file in a folder that may be written to"));
        }
        return new PlotFile(Optional.of(file));
    }

    void write(Supplier<Curves> curves) {
        file.ifPresent(path -> {
            try {
                Files.writeString(path, drawn(path, curves.get()));
            } catch (IOException unwritable) {
                throw CliException.usage(path + ": cannot be written: " + unwritable.getMessage());
            }
        });
    }

    private static String drawn(Path path, Curves curves) {
        return path.toString().endsWith(SVG) ? new CurvePicture(curves).svg() : new CurvePage(curves).html();
    }
}
