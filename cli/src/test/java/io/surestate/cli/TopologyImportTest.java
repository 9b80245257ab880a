package io.surestate.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.surestate.api.v1.ErrorCode;
import io.surestate.api.v1.PlanNodeRequest;
import io.surestate.api.v1.RemoveNodeRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TopologyImportTest {
    private static final String MATRIX = """
            \t\u001b[4mGPU0\tGPU1\tNIC0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\u001b[0m
            GPU0\t X \tNV12\tPIX\t0-3\t0\t\tN/A
            GPU1\tNV12\t X \tSYS\t4-7\t1\t\tN/A
            NIC0\tPIX\tSYS\t X \t\t\t\t
            """;

    private static final String DESCRIPTION = """
            compute_units:
              - {type: GPU, model: H100, quantity: 8, interconnect: NVLink 4.0}
              - {type: CPU, model: Ice Lake, quantity: 2, core_count: 64}
            network: {fabric: RoCE v2, bandwidth: 400Gbps, latency: <500ns}
            storage: {type: NVMe-oF, capacity: 100TB, iops: 2M}
            """;

    @TempDir
    private Path folder;

    private static CommandRun run(String input, String... args) {
        return CommandRun.of(Map.of(), input, args);
    }

    private static CommandRun topo(String input, String... more) {
        String[] args = new String[more.length + 6];
        System.arraycopy(
                new String[] {"topology", "import", "--format", "nvidia-smi-topo", "-", "--dry-run"}, 0, args, 0, 6);
        System.arraycopy(more, 0, args, 6, more.length);
        return run(input, args);
    }

    @Test
    void showsWhatItReadAsATree() {
        CommandRun run = topo(MATRIX, "--name", "gpu-7");

        assertThat(run.code()).isZero();
        assertThat(run.out()).isEqualTo("""
                node gpu-7  8 cores  2 devices
                ├─ numa 0  cores 0-3
                ├─ numa 1  cores 4-7
                ├─ 1 x GPU (0)
                ├─ 1 x GPU numa 1 (1)
                ├─ nic NIC0
                └─ link 0-1  NVLINK  2400Gbps
                """);
        assertThat(run.err()).startsWith("ssctl: note: ").contains("--model");
    }

    @Test
    void showsWhatItReadAsJson() throws IOException {
        JsonNode nodes = new JsonMapper()
                .readTree(
                        topo(MATRIX, "-o", "json", "--model", "A100-SXM4-40GB").out());

        JsonNode spec = nodes.at("/nodes/0/spec");
        assertThat(spec.at("/links/0/bandwidth").asText()).isEqualTo("2400Gbps");
        assertThat(spec.at("/devices/1/model").asText()).isEqualTo("A100-SXM4-40GB");
        assertThat(spec.at("/devices/1/numaNode").asInt()).isEqualTo(1);
        assertThat(spec.at("/numa/0/coreIds").size()).isEqualTo(4);
    }

    @Test
    void readsBackWhatItWrites() {
        String yaml = topo(MATRIX, "--name", "gpu-7", "-o", "yaml").out();

        CommandRun again = run(yaml, "topology", "import", "--format", "surestate", "-", "--dry-run", "-o", "yaml");

        assertThat(again.err()).isEmpty();
        assertThat(again.out()).isEqualTo(yaml);
    }

    @Test
    void readsADescriptionByComputeUnits() throws IOException {
        Path file = Files.writeString(folder.resolve("Big_Node.yaml"), DESCRIPTION);

        CommandRun run =
                run("", "topology", "import", "--format", "surestate", file.toString(), "--dry-run", "-o", "json");

        JsonNode node = new JsonMapper().readTree(run.out()).at("/nodes/0");
        assertThat(node.at("/name").asText()).isEqualTo("big-node");
        assertThat(node.at("/spec/devices").size()).isEqualTo(8);
        assertThat(node.at("/spec/links").size()).isEqualTo(28);
        assertThat(node.at("/spec/links/0/bandwidth").asText()).isEqualTo("3600Gbps");
        assertThat(node.at("/spec/nics/0/speed").asText()).isEqualTo("400Gbps");
        assertThat(node.at("/spec/labels/storage.iops").asText()).isEqualTo("2000000");
    }

    @Test
    void showsOnlyNamesOfManyNodes() {
        CommandRun run = run(
                "SwitchName=s1 Nodes=n[1-2]\nSwitchName=top Switches=s1\n",
                "topology",
                "import",
                "--format",
                "slurm",
                "-",
                "--dry-run",
                "-o",
                "name");

        assertThat(run.out()).isEqualTo("n1\nn2\n");
        assertThat(topo(MATRIX, "--name", "Not A Name").code()).isEqualTo(2);
    }

    @Test
    void refusesAFileOfAnotherForm() {
        CommandRun run = run("{}", "topology", "import", "--format", "hwloc-xml", "-", "--dry-run");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .isEqualTo(
                        "ssctl: INVALID_ARGUMENT: standard input:1: not well-formed XML (expected: a whole document)\n");
    }

    @Test
    void registersPlannedNodesAfterAllWereChecked() {
        try (FakeCluster cluster = new FakeCluster()) {
            CommandRun run = CommandRun.of(
                    Map.of("SSCTL_SERVER", cluster.address()),
                    "BlockName=b Nodes=n[1-2]\n",
                    "topology",
                    "import",
                    "--format",
                    "slurm",
                    "-",
                    "--request-id",
                    "r",
                    "-o",
                    "yaml");

            assertThat(run.code()).isZero();
            assertThat(run.out()).contains("name: n1", "state: PLANNED");
            assertThat(cluster.asked.stream().map(PlanNodeRequest.class::cast))
                    .extracting(asked -> asked.getName() + " "
                            + (asked.getHeader().getValidateOnly()
                                    ? "checked"
                                    : asked.getHeader().getRequestId()))
                    .containsExactly("n1 checked", "n2 checked", "n1 r", "n2 r.1");
        }
    }

    @Test
    void registersAndRemovesANode() {
        try (FakeCluster cluster = new FakeCluster()) {
            CommandRun run = CommandRun.of(
                    Map.of("SSCTL_SERVER", cluster.address()),
                    DESCRIPTION,
                    "node",
                    "register",
                    "-f",
                    "-",
                    "--name",
                    "planned-1");

            assertThat(run.code()).isZero();
            assertThat(run.out()).startsWith("node planned-1  PLANNED  128 cores  8 devices\n");
            assertThat(CommandRun.of(cluster, "node", "remove", "planned-1").out())
                    .isEqualTo("planned-1 removed at revision 78\n");
        }
    }

    @Test
    void tellsWhyANodeIsNotRemoved() {
        try (FakeCluster cluster = new FakeCluster()) {
            cluster.replies.put(
                    RemoveNodeRequest.class,
                    FakeCluster.refusal(
                            ErrorCode.ERROR_CODE_ILLEGAL_STATE, "state of node n1: \"READY\" (expected: PLANNED)"));

            CommandRun run = CommandRun.of(cluster, "node", "remove", "n1");

            assertThat(run.code()).isEqualTo(1);
            assertThat(run.err()).startsWith("ssctl: ILLEGAL_STATE: state of node n1");
        }
    }

    @Test
    void namesTheFormatsItKnows() {
        assertThat(run("", "topology", "import", "--format", "nvidia", "-", "--dry-run"))
                .satisfies(run -> assertThat(run.code()).isEqualTo(2))
                .satisfies(run -> assertThat(run.err()).contains("expected: one of nvidia-smi-xml, "));
        assertThat(run("", "topology", "import", "--format", "slurm", "/nonexistent.conf", "--dry-run")
                        .code())
                .isEqualTo(2);
    }

    @Test
    void refusesMoreThanMayBeInAFile() throws IOException {
        Path file = Files.writeString(folder.resolve("big.txt"), "x".repeat((16 << 20) + 1));

        CommandRun run = run("", "topology", "import", "--format", "slurm", file.toString(), "--dry-run");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err()).contains("big.txt: too large (expected: at most 16777216 bytes)");
    }
}
