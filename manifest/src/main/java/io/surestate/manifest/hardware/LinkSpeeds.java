package io.surestate.manifest.hardware;

import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * What one link of a generation carries in one direction, in bit/s, as its maker published it.
 *
 * <p>NVLink (NVIDIA, "NVLink and NVLink Switch", and the architecture papers of each generation; both directions of all links
 * together): 1st, P100, 4 links, 160 GB/s; 2nd, V100, 6 links, 300 GB/s; 3rd, A100, 12 links, 600 GB/s; 4th, H100 and H200, 18 links,
 * 900 GB/s; 5th, Blackwell, 18 links, 1,800 GB/s. Boards of the Ampere GA102 (A40, RTX A6000) have 4 links, 112.5 GB/s together.
 *
 * <p>AMD Infinity Fabric (data sheets of the Instinct accelerators; both directions of one link): MI50, MI60 and MI100 92 GB/s, MI200
 * series 100 GB/s, MI300 series 128 GB/s.
 *
 * <p>Huawei HCCS (Atlas 800T A2 data sheet; both directions of one link): Ascend 910B 56 GB/s.
 */
final class LinkSpeeds {
    private static final long BITS_PER_GB = 8_000_000_000L;
    private static final long NVLINK_1 = 20 * BITS_PER_GB;
    /** Of the 2nd, the 3rd and the 4th generation alike. */
    static final long NVLINK_2_TO_4 = 25 * BITS_PER_GB;

    private static final long NVLINK_5 = 50 * BITS_PER_GB;
    private static final long NVLINK_GA102 = 14_062_500L * 8_000;
    private static final long XGMI_MI100 = 46 * BITS_PER_GB;
    private static final long XGMI_MI200 = 50 * BITS_PER_GB;
    private static final long XGMI_MI300 = 64 * BITS_PER_GB;
    private static final long HCCS_910B = 28 * BITS_PER_GB;

    /** Which models, by a part of their names, have which link. */
    private record Entry(String part, long bitsPerSecond) {}

    private static final List<Entry> MODELS = List.of(
            new Entry("gb10", 0),
            new Entry("gb200", NVLINK_5),
            new Entry("gb300", NVLINK_5),
            new Entry("b200", NVLINK_5),
            new Entry("b300", NVLINK_5),
            new Entry("b100", NVLINK_5),
            new Entry("h100", NVLINK_2_TO_4),
            new Entry("h200", NVLINK_2_TO_4),
            new Entry("h800", NVLINK_2_TO_4),
            new Entry("h20", NVLINK_2_TO_4),
            new Entry("a100", NVLINK_2_TO_4),
            new Entry("a800", NVLINK_2_TO_4),
            new Entry("a30", NVLINK_2_TO_4),
            new Entry("a40", NVLINK_GA102),
            new Entry("a6000", NVLINK_GA102),
            new Entry("v100", NVLINK_2_TO_4),
            new Entry("p100", NVLINK_1),
            new Entry("mi3", XGMI_MI300),
            new Entry("mi2", XGMI_MI200),
            new Entry("mi100", XGMI_MI100),
            new Entry("mi60", XGMI_MI100),
            new Entry("mi50", XGMI_MI100),
            new Entry("910b", HCCS_910B));

    private LinkSpeeds() {}

    /** Of the links that a model has; empty = no figure is known. */
    static OptionalLong ofModel(String model) {
        String lower = model.toLowerCase(Locale.ROOT);
        return MODELS.stream()
                .filter(entry -> lower.contains(entry.part))
                .mapToLong(Entry::bitsPerSecond)
                .filter(bits -> bits > 0)
                .findFirst();
    }

    /** By CUDA compute capability in tens: 80 is 8.0. */
    static OptionalLong ofComputeCapability(int capability) {
        return switch (capability) {
            case 60 -> OptionalLong.of(NVLINK_1);
            case 70, 80, 90 -> OptionalLong.of(NVLINK_2_TO_4);
            case 86 -> OptionalLong.of(NVLINK_GA102);
            case 100, 103 -> OptionalLong.of(NVLINK_5);
            default -> OptionalLong.empty();
        };
    }

    /** By the name of an AMD architecture, as {@code gfx942}, or only its digits. */
    static OptionalLong ofGfx(String architecture) {
        return switch (architecture.replace("gfx", "")) {
            case "906", "908" -> OptionalLong.of(XGMI_MI100);
            case "910", "90a" -> OptionalLong.of(XGMI_MI200);
            case "940", "941", "942" -> OptionalLong.of(XGMI_MI300);
            default -> OptionalLong.empty();
        };
    }

    /**
     * All NVLinks of one GPU of a generation in one direction, as published for its largest part.
     *
     * @param generation from 1
     */
    static OptionalLong wholeNvlink(int generation) {
        return switch (generation) {
            case 1 -> OptionalLong.of(4 * NVLINK_1);
            case 2 -> OptionalLong.of(6 * NVLINK_2_TO_4);
            case 3 -> OptionalLong.of(12 * NVLINK_2_TO_4);
            case 4 -> OptionalLong.of(18 * NVLINK_2_TO_4);
            case 5 -> OptionalLong.of(18 * NVLINK_5);
            default -> OptionalLong.empty();
        };
    }
}
