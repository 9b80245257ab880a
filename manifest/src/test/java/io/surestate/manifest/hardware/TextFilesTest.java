package io.surestate.manifest.hardware;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.Device;
import io.surestate.api.v1.Domain;
import io.surestate.api.v1.Nic;
import io.surestate.api.v1.NodeSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TextFilesTest {
    private static final String NVIDIA = """
            \t\u001b[4mGPU0\tGPU1\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\u001b[0m
            GPU0\t X \tNV18\tPIX\tSYS\t0-3,8\t0,2-5\t\t2
            GPU1\tNV18\t X \tSYS\tSYS\t\t\t\tN/A
            NIC0\tPIX\tSYS\t X \tSYS\t\t\t\t
            NIC1\tSYS\tSYS\tSYS\t X \t\t\t\t

            NIC Legend:

              NIC0: mlx5_2
            """;

    private static final String AMD = """
            ===== Weight between two GPUs =====
                   GPU0  GPU1  GPU2
            GPU0   0     15    30
            GPU1   15    0     15
            GPU2   30    15    0
            ===== Link Type between two GPUs =====
                   GPU0  GPU1  GPU2
            GPU0   0     XGMI  XGMI
            GPU1   XGMI  0     PCIE
            GPU2   XGMI  PCIE  0
            ===== Numa Nodes =====
            GPU[0]          : (Topology) Numa Node: 1
            GPU[1]          : (Topology) Numa Node: -1
            """;

    private static final String SLURM = """
            # the fabric
            SwitchName=top Switches=leaf[1-2]
            SwitchName=leaf1 \\
               Nodes=Node[008-010,20]
            SwitchName=leaf2 Nodes=other LinkSpeed=100
            BlockName=b1 Nodes=Node[008-009]
            BlockSizes=2,4
            NodeName=DEFAULT Sockets=2 CoresPerSocket=4 ThreadsPerCore=2
            NodeName=Node[008-010,20] RealMemory=1024 Gres=gpu:h100:2(S:0),gpu:h100:2(S:1),license:no_consume:4,mps:2K
            """;

    @Test
    void readsTheMatrixWithAnsiCodesListsAndGaps() {
        NodeSpec spec = Read.spec(HardwareFormat.NVIDIA_SMI_TOPO, NVIDIA);

        assertThat(spec.getDevicesList()).extracting(Device::getNumaNode).containsExactly(0, -1);
        assertThat(spec.getNuma(0).getCoreIdsList()).containsExactly(0, 1, 2, 3, 8);
        assertThat(spec.getNicsList()).extracting(Nic::getName).containsExactly("mlx5_2", "NIC1");
        assertThat(spec.getNicsList()).extracting(Nic::getNumaNode).containsExactly(0, -1);
        assertThat(Read.bandwidth(spec, 0, 1)).isEqualTo(18 * 200_000_000_000L);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GPU1\tNV18\t X|GPU1\tNV12\t X|NV12",
                "GPU0\t X |GPU0\tNV18|GPU0-GPU0",
                "NIC1\tSYS\tSYS\tSYS\t X \t\t\t\t|NIC1\tSYS|NIC1-GPU1: empty",
                "NV18\tPIX|NV9999\tPIX|GPU0-GPU1",
                "GPU1\tNV18\t X|GPU7\tNV18\t X|one of the columns",
                "0-3,8|3-0|CPU affinity",
                "0-3,8|0-99999|CPU affinity",
                "0,2-5|zero|NUMA affinity"
            })
    void refusesAWrongMatrix(String from, String to, String problem) {
        String text = NVIDIA.replace(from.replace("\\t", "\t"), to.replace("\\t", "\t"));

        assertThat(text).isNotEqualTo(NVIDIA);
        assertThat(Read.problem(HardwareFormat.NVIDIA_SMI_TOPO, text))
                .startsWith("file:")
                .contains(problem);
    }

    @Test
    void takesNoLinkOverAnotherGpuForAnXgmiLink() {
        NodeSpec spec = Read.spec(HardwareFormat.ROCM_SMI_TOPO, AMD, "Instinct MI250X");

        assertThat(spec.getLinksList().stream()
                        .map(link -> link.getFromOrdinal() + "-" + link.getToOrdinal() + " " + link.getType() + " "
                                + link.getBitsPerSecond()))
                .containsExactly("0-1 XGMI 400000000000", "1-2 PCIE 0");
        assertThat(spec.getDevicesList()).extracting(Device::getNumaNode).containsExactly(1, -1, -1);
    }

    @Test
    void refusesWrongTablesOfAmd() {
        assertThat(Read.problem(HardwareFormat.ROCM_SMI_TOPO, AMD.replace("GPU2   30    15    0\n", "")))
                .isEqualTo("file:2: Weight between two GPUs: 2 rows (expected: as many as columns, 3)");
        assertThat(Read.problem(HardwareFormat.ROCM_SMI_TOPO, AMD.replace("15    30", "15    -3")))
                .contains("file:3: Weight between two GPUs: \"-3\"");
        assertThat(Read.problem(HardwareFormat.ROCM_SMI_TOPO, AMD.replace("GPU2   XGMI  PCIE", "GPU2   PCIE  PCIE")))
                .contains("GPU0-GPU2: XGMI (expected: PCIE, as on the other side of the diagonal)");
        assertThat(Read.problem(HardwareFormat.ROCM_SMI_TOPO, AMD.replace("GPU[1]", "GPU[3]")))
                .contains("GPU: \"3\" (expected: a whole number, 0 to 2)");
    }

    @Test
    void numbersTheAffinitiesOfNpus() {
        NodeSpec spec = Read.spec(HardwareFormat.NPU_SMI_TOPO, """
                       NPU0       NPU1       CPU Affinity
                NPU0       X          HCCS       4-7
                NPU1       HCCS       X          0-3
                """);

        assertThat(spec.getDevicesList()).extracting(Device::getNumaNode).containsExactly(1, 0);
        assertThat(Read.bandwidth(spec, 0, 1)).isZero();
    }

    @Test
    void readsSwitchesBlocksAndNodesOfSlurm() {
        Hardware read = Read.all(HardwareFormat.SLURM, SLURM);
        NodeSpec spec = Read.node(read, "node008").getSpec();

        assertThat(read.nodes()).hasSize(5);
        assertThat(spec.getHostname()).isEqualTo("Node008");
        assertThat(spec.getDomainsList()).extracting(Domain::getLevel).containsExactly("switch-2", "switch-1", "block");
        assertThat(spec.getDomainsList()).extracting(Domain::getName).containsExactly("top", "leaf1", "b1");
        assertThat(Read.node(read, "node20").getSpec().getDomainsCount()).isEqualTo(2);
        assertThat(spec.getMemoryBytes()).isEqualTo(1L << 30);
        assertThat(spec.getNumaList())
                .extracting(place -> place.getCoreIdsCount())
                .containsExactly(8, 8);
        assertThat(spec.getDevicesList()).extracting(Device::getNumaNode).containsExactly(0, 0, 1, 1);
        assertThat(spec.getCountables(0).getName()).isEqualTo("gres/mps");
        assertThat(spec.getCountables(0).getAmount()).isEqualTo(2048);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Switches=leaf[1-2]|Switches=leaf[1-3]|file:2: Switches: \"leaf3\" (expected: a switch of the file)",
                "SwitchName=leaf2|SwitchNam=leaf2|file:5: key: \"switchnam\"",
                "SwitchName=leaf2 Nodes=other|SwitchName=leaf2 Nodes=other,Node008|expected: each name once",
                "SwitchName=leaf2 Nodes=other|SwitchName=leaf2|either Switches or Nodes",
                "SwitchName=leaf2 Nodes=other|SwitchName=leaf2 Switches=top|without a ring",
                "Nodes=other|Nodes=other[1-999999999]|Nodes: \"other[1-999999999]\"",
                "Nodes=other|Nodes=other[3-1]|expected: names such as",
                "Nodes=other|Nodes=other[1-2|expected: names such as",
                "Nodes=other|Nodes=oth_er|name: \"oth_er\"",
                "RealMemory=1024|RealMemory=-1|RealMemory: \"-1\"",
                "RealMemory=1024|RealMemory=999999999999|at most 2^50",
                "RealMemory=1024|CPUs=17|CPUs: \"17\" (expected: at most 16",
                "CoresPerSocket=4|CoresPerSocket=4096|CPUs: ",
                "mps:2K|mps:999999999999T|an amount of at most 2^53",
                "gpu:h100:2(S:0)|gpu:h100:2000|at most 1024 devices",
                "LinkSpeed=100|LinkSpeed|Key=value pairs"
            })
    void refusesABadSlurmFile(String from, String to, String problem) {
        String text = SLURM.replace(from, to);

        assertThat(text).isNotEqualTo(SLURM);
        assertThat(Read.problem(HardwareFormat.SLURM, text)).startsWith("file:").contains(problem);
    }

    @ParameterizedTest
    @EnumSource(names = {"NVIDIA_SMI_TOPO", "ROCM_SMI_TOPO", "NPU_SMI_TOPO", "SLURM"})
    void refusesHugeLinesAndOtherTexts(HardwareFormat format) {
        assertThat(Read.problem(format, "\n" + "x".repeat(10 << 20)))
                .isEqualTo("file:2: 10485760 characters (expected: lines of at most 65536)");
        assertThat(Read.problem(format, "")).startsWith("file: ");
        assertThat(Read.problem(format, "what is this\n")).startsWith("file:");
    }
}
