package io.surestate.manifest.hardware;

import static org.assertj.core.api.Assertions.assertThat;

import io.surestate.api.v1.Device;
import io.surestate.api.v1.NodeSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class XmlFilesTest {
    private static final String SMI = """
            <?xml version="1.0" ?>
            <!DOCTYPE nvidia_smi_log SYSTEM "nvsmi_device_v12.dtd">
            <nvidia_smi_log>
              <attached_gpus>2</attached_gpus>
              <gpu id="00000000:0A:00.0">
                <product_name>NVIDIA A100-SXM4-40GB</product_name>
                <product_architecture>Ampere</product_architecture>
                <mig_devices>
                  <mig_device>
                    <gpu_instance_id>7</gpu_instance_id>
                    <compute_instance_id>0</compute_instance_id>
                    <device_attributes><shared><multiprocessor_count>14</multiprocessor_count></shared></device_attributes>
                    <fb_memory_usage><total>4864 MiB</total></fb_memory_usage>
                  </mig_device>
                </mig_devices>
                <uuid>GPU-a</uuid>
                <fb_memory_usage><total>40960 MiB</total></fb_memory_usage>
                <fabric><cliqueId>3</cliqueId><clusterUuid>c-1</clusterUuid></fabric>
              </gpu>
              <gpu id="00000000:0B:00.0">
                <product_name>NVIDIA A100-SXM4-40GB</product_name>
                <uuid>GPU-b</uuid>
                <fb_memory_usage><total>40960 MiB</total></fb_memory_usage>
                <fabric><cliqueId>3</cliqueId><clusterUuid>c-1</clusterUuid></fabric>
              </gpu>
            </nvidia_smi_log>
            """;

    private static final String NCCL = """
            <system version="1">
              <cpu numaid="1" affinity="00000001,0000000f">
                <pci busid="0000:01:00.0" class="0x060400">
                  <pci busid="0000:02:00.0" class="0x030200"><gpu dev="0" sm="80"><nvlink target="0000:06:00.0" count="12" tclass="0x068000"/></gpu></pci>
                  <pci busid="0000:03:00.0" class="0x030200"><gpu dev="1" sm="80"><nvlink target="0000:06:00.0" count="6" tclass="0x068000"/></gpu></pci>
                  <pci busid="0000:04:00.0" class="0x020700"><nic><net name="mlx5_0" speed="200000"/></nic></pci>
                </pci>
              </cpu>
            </system>
            """;

    private static final String HWLOC = """
            <topology version="2.0">
              <object type="Machine" os_index="0" cpuset="0x0000000f" nodeset="0x1">
                <object type="Package" os_index="0" cpuset="0x0000000f">
                  <info name="CPUModel" value="Some CPU"/>
                  <object type="NUMANode" os_index="0" cpuset="0x0000000f" local_memory="1073741824"/>
                  <object type="NUMANode" os_index="8" cpuset="0x0" subtype="GPUMemory" local_memory="1073741824"/>
                  <object type="Bridge">
                    <object type="PCIDev" pci_busid="0000:01:00.0" gp_index="5">
                      <object type="OSDev" gp_index="6" name="eth0" osdev_type="2"/>
                      <object type="OSDev" gp_index="7" name="mlx5_0" osdev_type="3"/>
                    </object>
                    <object type="PCIDev" pci_busid="0000:02:00.0" gp_index="8">
                      <object type="OSDev" gp_index="9" name="cuda0" subtype="CUDA" osdev_type="5">
                        <info name="GPUModel" value="Some GPU"/><info name="CUDAGlobalMemorySize" value="1048576"/>
                      </object>
                    </object>
                    <object type="PCIDev" pci_busid="0000:03:00.0">
                      <object type="OSDev" name="nvme0n1" subtype="Disk" osdev_type="0"><info name="Size" value="1000"/></object>
                    </object>
                  </object>
                </object>
              </object>
            </topology>
            """;

    private static final String BOMB = """
            <!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c SYSTEM "file:///etc/passwd">]>
            <ROOT><x>&b;</x><x>&c;</x></ROOT>
            """;

    @Test
    void readsMigInstancesAsPartitionsAfterTheWholeDevices() {
        NodeSpec spec = Read.spec(HardwareFormat.NVIDIA_SMI_XML, SMI);

        assertThat(spec.getDevicesList())
                .extracting(Device::getHardwareId)
                .containsExactly("GPU-a", "GPU-b", "GPU-a/7/0");
        assertThat(spec.getDevices(2).getParentPlusOne()).isEqualTo(1);
        assertThat(spec.getDevices(2).getPartition()).isEqualTo("1g.5gb");
        assertThat(spec.getDevices(0).getPciAddress()).isEqualTo("0000:0a:00.0");
        assertThat(spec.getDomains(0).getName()).isEqualTo("c-1.3");
    }

    @Test
    void refusesGpusThatAreNotThereAndMemoryThatIsNone() {
        assertThat(Read.problem(HardwareFormat.NVIDIA_SMI_XML, SMI.replace("<attached_gpus>2<", "<attached_gpus>8<")))
                .isEqualTo("file:3: attached_gpus: \"8\" (expected: 2, as many as there are)");
        assertThat(Read.problem(HardwareFormat.NVIDIA_SMI_XML, SMI.replace("4864 MiB", "-1 MiB")))
                .contains("fb_memory_usage.total: \"-1 MiB\" (expected: a size such as ");
        assertThat(Read.problem(HardwareFormat.NVIDIA_SMI_XML, SMI.replace("4864 MiB", "999999999999999999 GiB")))
                .contains("at most 2^50 bytes");
    }

    @Test
    void putsANodeWhoseGpusDisagreeIntoNoDomain() {
        Hardware read = Read.all(HardwareFormat.NVIDIA_SMI_XML, SMI.replaceFirst("<cliqueId>3", "<cliqueId>4"));

        assertThat(read.nodes().get(0).getSpec().getDomainsList()).isEmpty();
        assertThat(read.notes()).anySatisfy(note -> assertThat(note).contains("c-1.4, c-1.3"));
    }

    @Test
    void givesAPairTheLesserOfItsLinksToTheSwitch() {
        NodeSpec spec = Read.spec(HardwareFormat.NCCL_XML, NCCL);

        assertThat(spec.getLinksList()).hasSize(1);
        assertThat(Read.bandwidth(spec, 0, 1)).isEqualTo(6 * 200_000_000_000L);
        assertThat(spec.getNuma(0).getCoreIdsList()).containsExactly(0, 1, 2, 3, 32);
        assertThat(spec.getNics(0).getBitsPerSecond()).isEqualTo(200_000_000_000L);
        assertThat(spec.getNics(0).getNumaNode()).isEqualTo(1);
    }

    @Test
    void leavesTheBandwidthOfAnUnknownGenerationUnknown() {
        String future = NCCL.replace("sm=\"80\"", "sm=\"200\"");

        assertThat(Read.bandwidth(Read.spec(HardwareFormat.NCCL_XML, future), 0, 1))
                .isZero();
        assertThat(Read.all(HardwareFormat.NCCL_XML, future).notes()).isNotEmpty();
    }

    @Test
    void refusesBadPlacesAndCountsOfNccl() {
        assertThat(Read.problem(HardwareFormat.NCCL_XML, NCCL.replace("numaid=\"1\"", "numaid=\"-7\"")))
                .isEqualTo("file:2: numaid: \"-7\" (expected: a whole number, 0 to 4096)");
        assertThat(Read.problem(HardwareFormat.NCCL_XML, NCCL.replace("count=\"12\"", "count=\"2147483648\"")))
                .contains("file:4: count: ");
        assertThat(Read.problem(HardwareFormat.NCCL_XML, NCCL.replace("0000:03:00.0", "0000:02:00.0")))
                .contains("expected: each address once");
        assertThat(Read.problem(HardwareFormat.NCCL_XML, "<system/>")).contains("expected: at least one <cpu>");
    }

    @Test
    void readsTheOlderHwloc() {
        NodeSpec spec = Read.spec(HardwareFormat.HWLOC_XML, HWLOC);

        assertThat(spec.getCpuModel()).isEqualTo("Some CPU");
        assertThat(spec.getNumaList()).hasSize(1);
        assertThat(spec.getMemoryBytes()).isEqualTo(1L << 30);
        assertThat(spec.getNics(0).getName()).isEqualTo("eth0");
        assertThat(spec.getNics(0).getRdma()).isTrue();
        assertThat(spec.getDevices(0).getMemoryBytes()).isEqualTo(1L << 30);
        assertThat(spec.getDevices(0).getNumaNode()).isZero();
        assertThat(spec.getStorage(0).getCapacityBytes()).isEqualTo(1_024_000);
    }

    @Test
    void refusesBadNumbersOfHwloc() {
        assertThat(Read.problem(
                        HardwareFormat.HWLOC_XML,
                        HWLOC.replace("local_memory=\"1073741824\"/>\n", "local_memory=\"-5\"/>\n")))
                .contains("local_memory: \"-5\"");
        assertThat(Read.problem(HardwareFormat.HWLOC_XML, HWLOC.replace("cpuset=\"0x0000000f\"", "cpuset=\"0xq\"")))
                .contains("cpuset: \"0xq\"");
        assertThat(
                        Read.problem(
                                HardwareFormat.HWLOC_XML,
                                HWLOC.replace(
                                        "</topology>",
                                        "<distances2hetero name=\"NVLinkBandwidth\" nbobjs=\"2\"><indexes>OSDev:9</indexes></distances2hetero></topology>")))
                .contains("NVLinkBandwidth: 1 objects, 0 values (expected: 2 and 4)");
    }

    @ParameterizedTest
    @EnumSource(names = {"NVIDIA_SMI_XML", "NCCL_XML", "HWLOC_XML"})
    void refusesWhatIsNoWholeDocumentOfItsKind(HardwareFormat format) {
        String good = format == HardwareFormat.NVIDIA_SMI_XML ? SMI : format == HardwareFormat.NCCL_XML ? NCCL : HWLOC;
        String root = format == HardwareFormat.NVIDIA_SMI_XML
                ? "nvidia_smi_log"
                : format == HardwareFormat.NCCL_XML ? "system" : "topology";

        assertThat(Read.problem(format, good.substring(0, good.length() / 2))).contains("not well-formed XML");
        assertThat(Read.problem(format, "")).startsWith("file:");
        assertThat(Read.problem(format, "GPU0 GPU1")).contains("not well-formed XML");
        assertThat(Read.problem(format, "<other/>")).isEqualTo("file:1: root: \"other\" (expected: <" + root + ">)");
        assertThat(Read.problem(format, BOMB.replace("ROOT", root))).startsWith("file:");
        assertThat(Read.problem(format, "<a>".repeat(100) + "</a>".repeat(100))).contains("deeper than 64");
        assertThat(Read.problem(format, "<a>" + "<b/>".repeat(500_001) + "</a>"))
                .contains("more than 500000 elements");
        assertThat(Read.problem(format, "<" + "a".repeat(20 << 20) + "/>")).contains("expected: at most 16777216");
    }
}
