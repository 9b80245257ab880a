package io.surestate.sim.openb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surestate.api.v1.DeviceKind;
import io.surestate.scheduler.pool.DeviceAsk;
import io.surestate.sim.trace.TraceBounds;
import io.surestate.sim.trace.TraceException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OpenbReaderTest {
    private static final String NODES = "sn,cpu_milli,memory_mib,gpu,model\n";
    private static final String PODS = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos\n";

    @TempDir
    Path folder;

    private Path file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    void readsNodes() throws IOException {
        Path file = file("nodes.csv", NODES + "n1,64000,262144,2,P100\nn2,8000,1024,0,\n");
        assertThat(OpenbReader.nodes(file, TraceBounds.ordinary()))
                .containsExactly(new OpenbNode("n1", 64000, 262144, 2, "P100"), new OpenbNode("n2", 8000, 1024, 0, ""));
    }

    @Test
    void readsPodsWithTheModelsThatWillDo() throws IOException {
        Path file = file("pods.csv", PODS + "p1,12000,16384,1,460,V100M16|T4,LS\r\np2,500,64,0,0,,BE\r\n");
        List<OpenbPod> pods = OpenbReader.pods(file, TraceBounds.ordinary());
        assertThat(pods.get(0).shape().devices())
                .containsExactly(new DeviceAsk(DeviceKind.DEVICE_KIND_GPU, List.of("T4", "V100M16"), 1, 460));
        assertThat(pods.get(1).shape().devices()).isEmpty();
        assertThat(pods.get(1).shape().memoryBytes()).isEqualTo(64L << 20);
    }

    @Test
    void readsPodsOfATraceThatNamesNoModels() throws IOException {
        Path file = file("pods.csv", "name,cpu_milli,memory_mib,num_gpu,gpu_milli\np1,1000,16,2,1000\n");
        assertThat(OpenbReader.pods(file, TraceBounds.ordinary()))
                .containsExactly(new OpenbPod("p1", 1000, 16, 2, 1000, List.of()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "p1,-5,16,1,460,,LS; pods.csv:2: cpu_milli: \"-5\" (expected: a whole number, 0-1024000)",
                "p1,many,16,1,460,,LS; pods.csv:2: cpu_milli: \"many\" (expected: a whole number, 0-1024000)",
                "p1,,16,1,460,,LS; pods.csv:2: cpu_milli: empty (expected: a whole number, 0-1024000)",
                "p1,99999999999999999999,16,1,460,,LS; pods.csv:2: cpu_milli: \"99999999999999999999\" (expected: a whole number, 0-1024000)",
                "p1,1000,16,9223372036854775807,460,,LS; pods.csv:2: num_gpu: \"9223372036854775807\" (expected: a whole number, 0-1024)",
                "p1,1000,16,1,1001,,LS; pods.csv:2: gpu_milli: \"1001\" (expected: a whole number, 0-1000)",
                "p1,1000,16,1,0,,LS; pods.csv:2: gpu_milli: \"0\" (expected: 1-1000 where num_gpu is not 0)",
                ",1000,16,1,460,,LS; pods.csv:2: name: empty (expected: a name)",
                "p1,1000,16; pods.csv:2: line: \"p1,1000,16\" (expected: 7 values, as the header has)",
            })
    void refusesABadPodWithFileLineAndColumn(String line, String message) throws IOException {
        Path file = file("pods.csv", PODS + line + "\n");
        assertThatThrownBy(() -> OpenbReader.pods(file, TraceBounds.ordinary()))
                .isInstanceOf(TraceException.class)
                .hasMessageEndingWith("/" + message);
    }

    @Test
    void namesTheLineThatIsBad() throws IOException {
        Path file = file("nodes.csv", NODES + "n1,64000,262144,2,P100\nn2,64000,262144,2,\n");
        assertThatThrownBy(() -> OpenbReader.nodes(file, TraceBounds.ordinary()))
                .hasMessageEndingWith("/nodes.csv:3: model: empty (expected: the model of the node's devices)");
    }

    @Test
    void countsEmptyLinesAsLines() throws IOException {
        Path file = file("nodes.csv", NODES + "\n\nn1,64000,262144,2,P100\n\nn2,-1,262144,2,P100\n\n");
        assertThatThrownBy(() -> OpenbReader.nodes(file, TraceBounds.ordinary()))
                .hasMessageContaining("/nodes.csv:6: cpu_milli: \"-1\"");
    }

    @Test
    void refusesANameTwice() throws IOException {
        Path file = file("nodes.csv", NODES + "n1,1,1,0,\nn1,1,1,0,\n");
        assertThatThrownBy(() -> OpenbReader.nodes(file, TraceBounds.ordinary()))
                .hasMessageEndingWith("/nodes.csv:3: sn: \"n1\" (expected: each name once)");
    }

    @Test
    void refusesAMissingColumn() throws IOException {
        Path file = file("nodes.csv", "sn,cpu_milli,gpu,model\nn1,64000,2,P100\n");
        assertThatThrownBy(() -> OpenbReader.nodes(file, TraceBounds.ordinary()))
                .hasMessageEndingWith(
                        "/nodes.csv:1: memory_mib: \"sn,cpu_milli,gpu,model\" (expected: a column of this name)");
    }

    @Test
    void refusesAnEmptyFile() throws IOException {
        Path file = file("nodes.csv", "");
        assertThatThrownBy(() -> OpenbReader.nodes(file, TraceBounds.ordinary()))
                .hasMessageEndingWith("/nodes.csv:1: header: empty (expected: a line of column names)");
    }

    @Test
    void refusesWhatIsNotText() throws IOException {
        Path file = folder.resolve("nodes.csv");
        Files.write(file, new byte[] {'s', 'n', (byte) 0xff, (byte) 0xfe, 0, 1});
        assertThatThrownBy(() -> OpenbReader.nodes(file, TraceBounds.ordinary()))
                .isInstanceOf(TraceException.class);
    }

    @Test
    void refusesAQuoteThatNeverEnds() throws IOException {
        Path file = file("nodes.csv", NODES + "\"n1,64000,262144,2,P100\n");
        assertThatThrownBy(() -> OpenbReader.nodes(file, TraceBounds.ordinary()))
                .isInstanceOf(TraceException.class);
    }

    @Test
    void readsGzip() throws IOException {
        Path file = folder.resolve("nodes.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write((NODES + "n1,1,1,0,\n").getBytes(StandardCharsets.UTF_8));
        }
        assertThat(OpenbReader.nodes(file, TraceBounds.ordinary())).hasSize(1);
    }

    @Test
    void refusesAGzipBombAndAListThatIsTooLong() throws IOException {
        Path file = folder.resolve("pods.csv.gz");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write((PODS + "\n".repeat(1 << 20)).getBytes(StandardCharsets.UTF_8));
        }
        assertThatThrownBy(() -> OpenbReader.pods(file, new TraceBounds(1 << 16, 100, 10)))
                .isInstanceOf(TraceException.class)
                .hasMessageEndingWith("pods.csv.gz: too large (expected: at most 65536 bytes when unpacked)");

        Path three = file("nodes.csv", NODES + "n1,1,1,0,\nn2,1,1,0,\nn3,1,1,0,\n");
        assertThatThrownBy(() -> OpenbReader.nodes(three, TraceBounds.ordinary().withRows(2)))
                .hasMessageEndingWith("nodes.csv:4: too many rows (expected: at most 2)");
    }

    @Test
    void readsQuotedCells() throws IOException {
        Path file = file("nodes.csv", "\"sn\",cpu_milli,memory_mib,gpu,model\n\"n,1\",1,1,0,\"\"\n");
        assertThat(OpenbReader.nodes(file, TraceBounds.ordinary()).get(0).name())
                .isEqualTo("n,1");
    }

    @Test
    void readsNamesInAnyAlphabet() throws IOException {
        Path file = folder.resolve("nodes.csv");
        Files.write(file, (NODES + "узел,1,1,0,\n").getBytes(StandardCharsets.UTF_8));
        assertThat(OpenbReader.nodes(file, TraceBounds.ordinary()).get(0).name())
                .isEqualTo("узел");
    }
}
