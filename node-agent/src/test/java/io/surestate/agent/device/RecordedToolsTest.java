package io.surestate.agent.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.surestate.api.v1.Device;
import io.surestate.api.v1.Domain;
import io.surestate.api.v1.Link;
import io.surestate.api.v1.NodeSpec;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tools that print what those of real machines printed; skipped where the recordings are not. */
class RecordedToolsTest {
    private static final Path RECORDED = Path.of(System.getProperty("surestate.data", "../../shared/data"), "hw")
            .toAbsolutePath();

    @TempDir
    Path root;

    @ParameterizedTest
    @CsvSource({
        "qx-h100.xml, h200-8gpu-8nic.txt, 8, 28, 3600",
        "qx-b200.xml, h200-8gpu-8nic.txt, 8, 28, 7200",
        "qx-gb200.xml, gb200-4gpu-compute-tray.txt, 4, 6, 7200"
    })
    void nvidiaMachinesAreFoundWithAllTheirLinks(String listing, String table, int gpus, int links, long gigabits) {
        NodeSpec spec = nvidia(listing, table);
        assertThat(spec.getDevicesList())
                .hasSize(gpus)
                .allMatch(gpu -> gpu.getMemoryBytes() > 70L << 30 && gpu.getNumaNode() >= 0);
        assertThat(spec.getLinksList())
                .hasSize(links)
                .allMatch(
                        link -> link.getType().equals("NVLINK") && link.getBitsPerSecond() == gigabits * 1_000_000_000);
    }

    @Test
    void aTrayOfARackHasTheDomainOfItsNvlinks() {
        assertThat(nvidia("qx-gb200.xml", "gb200-4gpu-compute-tray.txt").getDomainsList())
                .containsExactly(Domain.newBuilder()
                        .setLevel("nvlink")
                        .setName("00000001-0000-0000-0000-000000000001.2")
                        .build());
    }

    @Test
    void anAmdMachineIsFoundByItsCardsAndItsTables() {
        String cards = IntStream.range(0, 8)
                .mapToObj(card -> "\"card" + card + "\": {\"Card Series\": \"AMD Instinct MI300X\", \"Unique ID\": \"0x"
                        + card + "\", \"PCI Bus\": \"0000:0" + card
                        + ":00.0\", \"VRAM Total Memory (B)\": \"206141652992\"}")
                .collect(Collectors.joining(",", "{", "}"));
        NodeSpec spec = look(
                SmiSource.Tool.AMD,
                "if [ \"$1\" = --showtopo ]; then cat "
                        + recorded("topo-matrix/amd-mi300-class-8gpu-rocm-smi-showtopo.txt") + "; else cat <<'END'\n"
                        + cards + "\nEND\nfi");
        assertThat(spec.getDevicesList()).extracting(Device::getNumaNode).containsExactly(0, 0, 0, 0, 1, 1, 1, 1);
        assertThat(spec.getLinksList())
                .hasSize(28)
                .extracting(Link::getBitsPerSecond)
                .containsOnly(64 * 8_000_000_000L);
    }

    @Test
    void anAscendMachineIsFoundByItsChipsAndItsTable() {
        String chips = IntStream.range(0, 8)
                .mapToObj(chip -> "| " + chip + "     910B3 | OK | 91.4 48 0 / 0 |\n| 0 | 0000:C" + chip
                        + ":00.0 | 0 0 / 0 4335 / 65536 |\n")
                .collect(Collectors.joining());
        NodeSpec spec = look(
                SmiSource.Tool.ASCEND,
                "if [ $# = 3 ]; then cat " + recorded("topo-matrix/ascend-910b3-8npu-npu-smi-topo.txt")
                        + "; else cat <<'END'\n| Chip | Bus-Id | AICore(%) Memory-Usage(MB) HBM-Usage(MB) |\n" + chips
                        + "END\nfi");
        assertThat(spec.getDevicesCount()).isEqualTo(8);
        assertThat(spec.getNumaCount()).isZero();
        assertThat(spec.getLinksList()).hasSize(28).extracting(Link::getType).containsOnly("HCCS");
    }

    private NodeSpec nvidia(String listing, String table) {
        return look(
                SmiSource.Tool.NVIDIA,
                "if [ \"$1\" = topo ]; then cat " + recorded("topo-matrix/" + table) + "; else cat "
                        + recorded("nvidia-smi-qx/" + listing) + "; fi");
    }

    private NodeSpec look(SmiSource.Tool tool, String script) {
        FakeTools.write(root, tool.program(), script);
        Program.Bounds bounds = new Program.Bounds(root + ":/usr/bin:/bin", Duration.ofSeconds(30), 8 << 20);
        DeviceSource source = new SmiSource(tool, new Program(tool.program(), bounds), new PlainKernel("", -1));
        DeviceWatch watch = new DeviceWatch(NodeSpec.getDefaultInstance(), List.of(source), root.resolve("devices"));
        watch.look(source);
        assertThat(watch.picture().conditions().getConditionsList()).isEmpty();
        assertThat(watch.picture().ailments()).isEmpty();
        return watch.picture().spec();
    }

    private static Path recorded(String file) {
        Path path = RECORDED.resolve(file);
        assumeTrue(Files.isReadable(path), () -> "skipped: " + path + " is not here");
        return path;
    }
}
