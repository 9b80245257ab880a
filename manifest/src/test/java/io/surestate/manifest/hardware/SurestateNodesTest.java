package io.surestate.manifest.hardware;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.Label;
import io.surestate.api.v1.NodeSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SurestateNodesTest {
    private static final String DESCRIPTION = """
            compute_units:
              - {type: GPU, model: H100, quantity: 8, interconnect: NVLink 4.0}
              - {type: CPU, model: Ice Lake, quantity: 2, core_count: 64}
            network: {fabric: RoCE v2, bandwidth: 400Gbps, latency: <500ns}
            storage: {type: NVMe-oF, capacity: 100TB, iops: 2M}
            """;

    private static final String NODE = """
            name: n1
            spec:
              numa: [{id: 0, socket: 0, coreIds: [0, 1], memory: 1Gi}]
              memory: 1Gi
              devices:
                - {ordinal: 0, kind: GPU, model: H100, numaNode: 0}
                - {ordinal: 1, kind: GPU, model: H100, numaNode: 0}
              nics: [{name: eth0, speed: 25Gbps, numaNode: -1}]
              links: [{fromOrdinal: 0, toOrdinal: 1, type: NVLINK, bandwidth: 3600Gbps}]
              countables: {licenses/a: 3}
            """;

    @Test
    void readsADescriptionAsItIs() {
        NodeSpec spec = Read.spec(HardwareFormat.SURESTATE, DESCRIPTION);

        assertThat(spec.getDevicesList())
                .hasSize(8)
                .allSatisfy(device -> assertThat(device.getModel()).isEqualTo("H100"));
        assertThat(Read.bandwidth(spec, 6, 7)).isEqualTo(3_600_000_000_000L);
        assertThat(spec.getCpuModel()).isEqualTo("Ice Lake");
        assertThat(spec.getSockets()).isEqualTo(2);
        assertThat(spec.getNuma(1).getCoreIdsList())
                .startsWith(64)
                .endsWith(127)
                .hasSize(64);
        assertThat(spec.getNics(0).getBitsPerSecond()).isEqualTo(400_000_000_000L);
        assertThat(spec.getNics(0).getRdma()).isTrue();
        assertThat(spec.getStorage(0).getCapacityBytes()).isEqualTo(100_000_000_000_000L);
        assertThat(spec.getLabelsList().stream().map(Label::getValue)).containsExactly("RoCE v2", "<500ns", "2000000");
    }

    @Test
    void readsOneNodeAListAndANamedList() {
        String second = NODE.replace("n1", "n2");
        String list = "- " + NODE.strip().replace("\n", "\n  ") + "\n- "
                + second.strip().replace("\n", "\n  ");

        assertThat(Read.all(HardwareFormat.SURESTATE, NODE).nodes()).hasSize(1);
        assertThat(Read.all(HardwareFormat.SURESTATE, list).nodes()).hasSize(2);
        assertThat(Read.all(HardwareFormat.SURESTATE, "nodes:\n" + list).nodes())
                .hasSize(2);
    }

    /** As large as a cluster of ten thousand nodes takes. */
    @Test
    void readsAListOfSeveralMebibytes() {
        StringBuilder list = new StringBuilder("nodes:\n");
        for (int i = 0; i < 300; i++) {
            list.append("- {name: n")
                    .append(i)
                    .append(", spec: {os: x}}\n")
                    .append("#".repeat(12_000))
                    .append('\n');
        }

        assertThat(Read.all(HardwareFormat.SURESTATE, list.toString()).nodes()).hasSize(300);
    }

    @Test
    void passesOverWhatIsShownWithANode() {
        String shown = NODE + "id: x\nrevision: 7\nstatus: {state: READY}\nusage: {cpuTotal: \"2\"}\n";

        assertThat(Read.all(HardwareFormat.SURESTATE, shown).nodes())
                .isEqualTo(Read.all(HardwareFormat.SURESTATE, NODE).nodes());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "quantity: 8|quantity: 0|compute_units[0].quantity: \"0\" (expected: 1 to 1024)",
                "quantity: 8|quantity: -8|compute_units[0].quantity",
                "quantity: 8|quantity: 9223372036854775807|quantity",
                "type: GPU|type: TPU|expected: one of CPU, GPU, NPU, DPU, FPGA, QPU",
                "core_count: 64|core_count: 4096|core_count",
                "400Gbps|fast|file:4: network.bandwidth: \"fast\"",
                "<500ns|soon|network.latency: \"soon\"",
                "2M|2X|storage.iops: \"2X\"",
                "100TB|-1TB|file:5: storage.capacity: \"-1TB\"",
                "fabric: RoCE v2|fabrik: RoCE v2|did you mean fabric?",
                "compute_units|compute_unit|did you mean"
            })
    void refusesABadDescription(String from, String to, String problem) {
        assertThat(Read.problem(HardwareFormat.SURESTATE, DESCRIPTION.replace(from, to)))
                .startsWith("file:")
                .contains(problem);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "coreIds: [0, 1]|coreIds: [1, 1]|numa.coreIds",
                "coreIds: [0, 1]|coreIds: [-1]|numa.coreIds: \"-1\"",
                "ordinal: 1|ordinal: 0|devices.ordinal",
                "ordinal: 1|ordinal: -1|devices.ordinal",
                "kind: GPU, model: H100, numaNode: 0}\\n    -|model: H100, numaNode: 0}\\n    -|devices[0].kind",
                "numaNode: -1|numaNode: -2|nics.eth0.numaNode: \"-2\"",
                "toOrdinal: 1|toOrdinal: 9|links: \"0-9\"",
                "toOrdinal: 1|toOrdinal: 0|links: \"0-0\"",
                "licenses/a: 3|licenses/a: -3|countables.licenses/a: \"-3\"",
                "licenses/a: 3|licenses/a: 9223372036854775807|countables.licenses/a",
                "memory: 1Gi\\n  devices|memory: 9999Pi\\n  devices|memory",
                "speed: 25Gbps|speed: 99999Tbps|nics.eth0.speed"
            })
    void refusesABadSpecNamingTheField(String from, String to, String problem) {
        String text = NODE.replace(from.replace("\\n", "\n"), to.replace("\\n", "\n"));

        assertThat(text).isNotEqualTo(NODE);
        assertThat(Read.problem(HardwareFormat.SURESTATE, text))
                .startsWith("file:")
                .contains(problem);
    }

    @Test
    void refusesWhatIsNoNode() {
        assertThat(Read.problem(HardwareFormat.SURESTATE, "")).isEqualTo("file: empty (expected: a manifest)");
        assertThat(Read.problem(HardwareFormat.SURESTATE, "name: a\n"))
                .contains("expected: either spec, or compute_units");
        assertThat(Read.problem(HardwareFormat.SURESTATE, NODE + DESCRIPTION)).contains("spec and compute_units");
        assertThat(Read.problem(HardwareFormat.SURESTATE, "nodes: [&a {name: x}, *a]"))
                .contains("anchor or alias");
        assertThat(Read.problem(HardwareFormat.SURESTATE, "a: ".repeat(1_000))).startsWith("file:");
    }
}
