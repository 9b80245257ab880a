package io.surestate.manifest.hardware;

import io.surestate.api.v1.Node;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A form in which hardware is described. */
public enum HardwareFormat {
    /** {@code nvidia-smi -q -x}. */
    NVIDIA_SMI_XML("nvidia-smi-xml"),
    /** {@code nvidia-smi topo -m}. */
    NVIDIA_SMI_TOPO("nvidia-smi-topo"),
    /** {@code rocm-smi --showtopo}. */
    ROCM_SMI_TOPO("rocm-smi-topo"),
    /** {@code rocm-smi --json}, as {@link RocmSmiJson#ARGUMENTS} ask for it. */
    ROCM_SMI_JSON("rocm-smi-json"),
    /** {@code npu-smi info}. */
    NPU_SMI_INFO("npu-smi-info"),
    /** {@code npu-smi info -t topo}. */
    NPU_SMI_TOPO("npu-smi-topo"),
    /** The topology of a machine as NCCL and RCCL write and read it. */
    NCCL_XML("nccl-xml"),
    /** {@code lstopo --of xml}. */
    HWLOC_XML("hwloc-xml"),
    /** {@code topology.conf} and the node lines of {@code slurm.conf}. */
    SLURM("slurm"),
    /** Nodes in the manifest dialect, or a description by compute units. */
    SURESTATE("surestate");

    private final String word;

    HardwareFormat(String word) {
        this.word = word;
    }

    /** As it is written on command lines. */
    public String word() {
        return word;
    }

    public static Optional<HardwareFormat> of(String word) {
        return Arrays.stream(values())
                .filter(format -> format.word.equals(word))
                .findFirst();
    }

    /** Of all formats. */
    public static List<String> words() {
        return Arrays.stream(values()).map(HardwareFormat::word).toList();
    }

    /**
     * Reads a text and checks what it says.
     *
     * @throws HardwareException the text is not of this format, broken or too large
     */
    public Hardware read(HardwareSource source) {
        Hardware read = reader().read(source);
        for (Node node : read.nodes()) {
            String of = node.getName().isEmpty() ? "" : node.getName() + ": ";
            NodeRules.problem(node.getSpec()).ifPresent(problem -> {
                throw source.problem(of + problem);
            });
        }
        return read;
    }

    private HardwareReader reader() {
        return switch (this) {
            case NVIDIA_SMI_XML -> new NvidiaSmiXml();
            case NVIDIA_SMI_TOPO -> new NvidiaSmiTopo();
            case ROCM_SMI_TOPO -> new RocmSmiTopo();
            case ROCM_SMI_JSON -> new RocmSmiJson();
            case NPU_SMI_INFO -> new NpuSmiInfo();
            case NPU_SMI_TOPO -> new NpuSmiTopo();
            case NCCL_XML -> new NcclXml();
            case HWLOC_XML -> new HwlocXml();
            case SLURM -> new SlurmConf();
            case SURESTATE -> new SurestateNodes();
        };
    }
}
