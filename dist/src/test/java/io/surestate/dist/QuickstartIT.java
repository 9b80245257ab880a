package io.surestate.dist;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The README's first command, for real. */
class QuickstartIT {
    @TempDir
    private Path folder;

    @Test
    void survivesItsLeaderAndItsNodeAndLeavesNothingBehind() {
        Shell.Result result = new Shell(Map.of()).run("./ssctl quickstart --dir " + folder.resolve("q"), 150);
        assertThat(result.exit()).as(result.output()).isZero();
        assertThat(result.output()).contains("SUCCEEDED");
        assertThat(ProcessHandle.allProcesses()
                        .map(process -> process.info().commandLine().orElse(""))
                        .filter(line -> line.contains(folder.toString())))
                .isEmpty();
    }
}
