package io.surestate.manifest.hardware;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.Device;
import io.surestate.api.v1.Link;
import io.surestate.api.v1.Nic;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.NumaNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What real machines said of themselves. */
class RealFilesTest {
    private static final long GIB = 1L << 30;

    @ParameterizedTest
    @CsvSource({
        "b200,8,NVIDIA B200,183359",
        "h100,8,NVIDIA H100 80GB HBM3,81559",
        "gb200,4,NVIDIA GB200,189471",
        "a100,1,NVIDIA A100-SXM4-40GB,40960",
        "t4,1,Tesla T4,15360"
    })
    void readsGpusOfNvidiaSmi(String file, int count, String model, long mebibytes) {
        NodeSpec spec = Read.spec(HardwareFormat.NVIDIA_SMI_XML, Read.real("nvidia-smi-qx/qx-" + file + ".xml"));

        assertThat(spec.getDevicesList())
                .hasSize(count)
                .allSatisfy(device -> {
                    assertThat(device.getModel()).isEqualTo(model);
                    assertThat(device.getMemoryBytes()).isEqualTo(mebibytes << 20);
                    assertThat(device.getPciAddress()).matches("0000:[0-9a-f]{2}:[0-9a-f]{2}\\.0");
                    assertThat(device.getNumaNode()).isEqualTo(-1);
                })
                .extracting(Device::getHardwareId)
                .doesNotHaveDuplicates();
        assertThat(spec.getDomainsCount()).isEqualTo(file.equals("gb200") ? 1 : 0);
    }

    @Test
    void readsTheNvlinkDomainOfARack() {
        NodeSpec spec = Read.spec(HardwareFormat.NVIDIA_SMI_XML, Read.real("nvidia-smi-qx/qx-gb200.xml"));

        assertThat(spec.getDomains(0).getLevel()).isEqualTo("nvlink");
        assertThat(spec.getDomains(0).getName()).isEqualTo("00000001-0000-0000-0000-000000000001.2");
    }

    @Test
    void readsTheMatrixOfH200() {
        NodeSpec spec = Read.spec(HardwareFormat.NVIDIA_SMI_TOPO, Read.real("topo-matrix/h200-8gpu-8nic.txt"));

        assertThat(spec.getDevicesCount()).isEqualTo(8);
        assertThat(spec.getLinksList()).hasSize(28).allSatisfy(link -> {
            assertThat(link.getType()).isEqualTo("NVLINK");
            assertThat(link.getBitsPerSecond()).isEqualTo(18 * 200_000_000_000L);
        });
        assertThat(spec.getDevicesList()).extracting(Device::getNumaNode).containsExactly(0, 0, 0, 0, 1, 1, 1, 1);
        assertThat(spec.getNumaList()).extracting(NumaNode::getCoreIdsCount).containsExactly(128, 128);
        assertThat(spec.getNicsList())
                .extracting(Nic::getName)
                .startsWith("mlx5_0")
                .hasSize(8);
        assertThat(spec.getNicsList()).extracting(Nic::getNumaNode).containsExactly(0, 0, 1, 0, 0, 1, 1, 1);
    }

    @Test
    void readsTheMatrixOfA100() {
        NodeSpec spec = Read.spec(HardwareFormat.NVIDIA_SMI_TOPO, Read.real("topo-matrix/a100-8gpu-4nic.txt"));

        assertThat(Read.bandwidth(spec, 0, 7)).isEqualTo(12 * 200_000_000_000L);
        assertThat(spec.getNumaList()).extracting(NumaNode::getId).containsExactly(0, 1);
        assertThat(spec.getNicsList()).extracting(Nic::getNumaNode).containsExactly(0, 0, 0, 0);
    }

    @Test
    void readsGb200WithItsModelGiven() {
        String text = Read.real("topo-matrix/gb200-4gpu-compute-tray.txt");

        assertThat(Read.bandwidth(Read.spec(HardwareFormat.NVIDIA_SMI_TOPO, text, "NVIDIA GB200"), 0, 3))
                .isEqualTo(18 * 400_000_000_000L);
        assertThat(Read.all(HardwareFormat.NVIDIA_SMI_TOPO, text).notes())
                .anySatisfy(note -> assertThat(note).contains("--model"));
    }

    @Test
    void takesTheFirstOfAListOfNumaPlaces() {
        NodeSpec spec = Read.spec(HardwareFormat.NVIDIA_SMI_TOPO, Read.real("topo-matrix/gb200-4gpu-6nic.excerpt.txt"));

        assertThat(spec.getDevicesList()).extracting(Device::getNumaNode).containsExactly(0, 0, 1, -1);
        assertThat(spec.getNumaList()).extracting(NumaNode::getCoreIdsCount).containsExactly(72, 72);
    }

    @ParameterizedTest
    @CsvSource({
        "dgx-a100-8gpu-12nic.excerpt,8,12,NVLINK",
        "hgx-topo-mp-pcie-view.excerpt,8,14,NODE",
        "pcie-2x-rtx5090-phb,2,0,PHB"
    })
    void readsOtherMatrices(String file, int gpus, int nics, String firstLink) {
        NodeSpec spec = Read.spec(HardwareFormat.NVIDIA_SMI_TOPO, Read.real("topo-matrix/" + file + ".txt"));

        assertThat(spec.getDevicesCount()).isEqualTo(gpus);
        assertThat(spec.getNicsCount()).isEqualTo(nics);
        assertThat(spec.getLinks(0).getType()).isEqualTo(firstLink);
    }

    @Test
    void readsTheTablesOfAmd() {
        String text = Read.real("topo-matrix/amd-mi300-class-8gpu-rocm-smi-showtopo.txt");
        NodeSpec spec = Read.spec(HardwareFormat.ROCM_SMI_TOPO, text);

        assertThat(spec.getDevicesList()).extracting(Device::getNumaNode).containsExactly(0, 0, 0, 0, 1, 1, 1, 1);
        assertThat(spec.getLinksList()).hasSize(28).allSatisfy(link -> {
            assertThat(link.getType()).isEqualTo("XGMI");
            assertThat(link.getBitsPerSecond()).isZero();
        });
        assertThat(Read.bandwidth(Read.spec(HardwareFormat.ROCM_SMI_TOPO, text, "AMD Instinct MI300X"), 0, 1))
                .isEqualTo(512_000_000_000L);
    }

    @Test
    void readsTheTableOfAscend() {
        NodeSpec spec = Read.spec(
                HardwareFormat.NPU_SMI_TOPO,
                Read.real("topo-matrix/ascend-910b3-8npu-npu-smi-topo.txt"),
                "Ascend 910B3");

        assertThat(spec.getDevicesList())
                .hasSize(8)
                .allSatisfy(device -> assertThat(device.getVendor()).isEqualTo("Huawei"));
        assertThat(spec.getLinksList()).hasSize(28).extracting(Link::getType).containsOnly("HCCS");
        assertThat(Read.bandwidth(spec, 0, 1)).isEqualTo(224_000_000_000L);
        assertThat(spec.getNumaList()).hasSize(4);
        assertThat(spec.getNuma(0).getCoreIdsList()).startsWith(0).endsWith(23).hasSize(24);
        assertThat(spec.getDevicesList()).extracting(Device::getNumaNode).containsExactly(3, 3, 2, 2, 0, 0, 1, 1);
    }

    @ParameterizedTest
    @CsvSource({
        "aws-g5.48xl-topo,0,0,0,2",
        "aws-p4d-24xl-topo,8,4,4,2",
        "aws-p4de-24xl-topo,8,4,4,2",
        "azure-ncv4-topo,4,1,0,4",
        "azure-ndv2-topo,8,1,0,2",
        "azure-ndv4-topo,8,8,4,4",
        "azure-ndv5-topo,8,8,0,2",
        "rccl-topo_8p6l_4nic,8,4,24,2",
        "rccl-topo_8p_90a,8,1,12,1",
        "rccl-topo_8p_940,8,8,28,2",
        "rccl-topo_8p_pcie,8,1,12,1",
        "rccl-topo_8p_rome,8,1,8,2"
    })
    void readsTopologiesOfNccl(String file, int gpus, int nics, int links, int places) {
        NodeSpec spec = Read.spec(HardwareFormat.NCCL_XML, Read.real("nccl-topo/" + file + ".xml"));

        assertThat(new int[] {spec.getDevicesCount(), spec.getNicsCount(), spec.getLinksCount(), spec.getNumaCount()})
                .containsExactly(gpus, nics, links, places);
    }

    @Test
    void readsTheLinksOfMi300() {
        NodeSpec spec = Read.spec(HardwareFormat.NCCL_XML, Read.real("nccl-topo/rccl-topo_8p_940.xml"));

        assertThat(Read.bandwidth(spec, 0, 7)).isEqualTo(512_000_000_000L);
        assertThat(spec.getNics(0).getBitsPerSecond()).isEqualTo(400_000_000_000L);
        assertThat(spec.getNics(0).getRdma()).isTrue();
        assertThat(spec.getDevices(0).getVendor()).isEqualTo("AMD");
    }

    @Test
    void readsDgx2WithItsSwitches() {
        NodeSpec spec = Read.spec(HardwareFormat.HWLOC_XML, Read.real("hwloc/nvidiaDGX2.xml"));

        assertThat(spec.getDevicesList())
                .hasSize(16)
                .extracting(Device::getModel)
                .containsOnly("Tesla V100-SXM3-32GB-H");
        // Six links of 25 GB/s.
        assertThat(spec.getLinksList())
                .hasSize(120)
                .allSatisfy(link -> assertThat(link.getBitsPerSecond()).isEqualTo(1_200_000_000_000L));
        assertThat(spec.getSockets()).isEqualTo(2);
        assertThat(spec.getMemoryBytes()).isEqualTo(810_234_351_616L + 811_737_923_584L);
        assertThat(spec.getDevices(0).getNumaNode()).isZero();
        assertThat(spec.getDevices(15).getNumaNode()).isEqualTo(1);
    }

    @Test
    void readsPower8WithLinksBetweenNeighbours() {
        NodeSpec spec = Read.spec(HardwareFormat.HWLOC_XML, Read.real("hwloc/power8gpudistances.xml"));

        assertThat(spec.getDevicesList())
                .hasSize(4)
                .extracting(Device::getModel)
                .containsOnly("Tesla P100-SXM2-16GB");
        assertThat(spec.getDevices(0).getMemoryBytes()).isEqualTo(16_671_616L << 10);
        assertThat(spec.getLinksCount()).isEqualTo(2);
        assertThat(Read.bandwidth(spec, 0, 1)).isEqualTo(320_000_000_000L);
        assertThat(Read.bandwidth(spec, 2, 3)).isEqualTo(320_000_000_000L);
        assertThat(spec.getNumaList()).extracting(NumaNode::getCoreIdsCount).containsExactly(8, 8);
    }

    @ParameterizedTest
    @CsvSource({
        "64intel64-heteromem,1,8,64",
        "96em64t-4n4d3ca2co-pci,16,4,96",
        "AMD-19h-Zen4-2xEpyc-9654,2,1,384",
        "nvidia-dgx-gb10,1,1,20"
    })
    void readsProcessorsAndPlaces(String file, int sockets, int places, int cores) {
        NodeSpec spec = Read.spec(HardwareFormat.HWLOC_XML, Read.real("hwloc/" + file + ".xml"));

        assertThat(spec.getSockets()).isEqualTo(sockets);
        assertThat(spec.getNumaCount()).isEqualTo(places);
        assertThat(spec.getNumaList().stream()
                        .mapToInt(NumaNode::getCoreIdsCount)
                        .sum())
                .isEqualTo(cores);
    }

    @Test
    void keepsFastMemoryApart() {
        NodeSpec spec = Read.spec(HardwareFormat.HWLOC_XML, Read.real("hwloc/64intel64-heteromem.xml"));

        assertThat(spec.getMemoryBytes()).isEqualTo(4 * GIB + 4 * 2 * GIB);
        assertThat(spec.getNumaList().stream().filter(place -> place.getCoreIdsCount() == 0))
                .hasSize(4);
    }

    @Test
    void readsNicsOfAnOldServer() {
        NodeSpec spec = Read.spec(HardwareFormat.HWLOC_XML, Read.real("hwloc/96em64t-4n4d3ca2co-pci.xml"));

        assertThat(spec.getNicsList()).extracting(Nic::getName).contains("eth0", "eth1");
        assertThat(spec.getDevicesList()).isEmpty();
    }

    @Test
    void readsSwitchesOfSlurm() {
        Hardware read = Read.all(HardwareFormat.SLURM, Read.real("topograph/expected.slinky-oci-sim-tree.conf"));

        assertThat(read.nodes()).hasSize(96);
        assertThat(Read.node(read, "srv1101").getSpec().getDomainsList().stream()
                        .map(domain -> domain.getLevel() + "=" + domain.getName()))
                .containsExactly("switch-3=switch.3.1", "switch-2=switch.2.1", "switch-1=switch.1.1");
    }

    @Test
    void readsBlocksOfSlurm() {
        Hardware read = Read.all(HardwareFormat.SLURM, Read.real("topograph/expected.slinky-dra-block.conf"));

        assertThat(read.nodes()).hasSize(96);
        assertThat(Read.node(read, "srv6208").getSpec().getDomains(0).getName()).isEqualTo("rack62");
    }
}
