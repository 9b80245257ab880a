package io.surestate.cli.job;

import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.Resources;
import io.surestate.api.v1.Topology;
import io.surestate.cli.CliException;
import io.surestate.manifest.Quantity;
import java.util.List;
import picocli.CommandLine.Option;

/** Options that say what each task needs and how tasks lie in the fabric. */
final class TaskNeeds {
    @Option(names = "--cpu", paramLabel = "CORES", description = "Per task, such as 2 or 500m. Default: 100m.")
    private String cpu = "100m";

    @Option(names = "--memory", paramLabel = "SIZE", description = "Per task, such as 8Gi. Default: 64Mi.")
    private String memory = "64Mi";

    @Option(names = "--gpus", paramLabel = "N", description = "GPUs per task. Default: 0.")
    private int gpus;

    @Option(
            names = "--gpu-model",
            paramLabel = "MODEL",
            split = ",",
            description = "Only GPUs of this model, or any of several: A100,H100.")
    private List<String> gpuModels = List.of();

    @Option(
            names = "--gpu-class",
            paramLabel = "CLASS",
            description = "Only GPUs of models of this class: ssctl units list.")
    private String gpuClass = "";

    @Option(
            names = "--gpu-share",
            paramLabel = "SHARE",
            description = "Share of each GPU, such as 500m. Default: all of it.")
    private String gpuShare = "1";

    @Option(names = "--network", paramLabel = "RATE", description = "NIC bandwidth per task, such as 100Gbps.")
    private String network = "";

    @Option(
            names = "--pack",
            paramLabel = "LEVEL",
            description = "Tasks within one domain of this level, such as rack, where there is room.")
    private String pack = "";

    @Option(names = "--require-pack", description = "With --pack: wait rather than leave the domain.")
    private boolean requirePack;

    @Option(names = "--spread", paramLabel = "LEVEL", description = "At most one task in each domain of this level.")
    private String spread = "";

    Resources resources() {
        try {
            Resources.Builder resources = Resources.newBuilder()
                    .setCpuMillicores(Quantity.cpuMillicores("--cpu", cpu))
                    .setMemoryBytes(Quantity.bytes("--memory", memory));
            if (!network.isEmpty()) {
                resources.setNetworkBitsPerSecond(Quantity.bitsPerSecond("--network", network));
            }
            if (gpus != 0) {
                int share = Math.toIntExact(Quantity.shareMilli("--gpu-share", gpuShare));
                if (share == 0) {
                    throw CliException.usage("--gpu-share: 0 (expected: a share such as 500m, or 1 for all of it)");
                }
                resources.addDevices(DeviceRequest.newBuilder()
                        .setKind(DeviceKind.DEVICE_KIND_GPU)
                        .setCount(gpus)
                        .addAllModels(gpuModels)
                        .setDeviceClass(gpuClass)
                        .setShareMilli(share));
            } else if (!gpuModels.isEmpty() || !gpuClass.isEmpty() || !gpuShare.equals("1")) {
                throw CliException.usage(
                        "--gpus: 0 (expected: 1 or more with --gpu-model, --gpu-class or --gpu-share)");
            }
            return resources.build();
        } catch (IllegalArgumentException | ArithmeticException bad) {
            throw CliException.usage(String.valueOf(bad.getMessage()));
        }
    }

    Topology topology() {
        return Topology.newBuilder()
                .setPack(pack)
                .setRequired(requirePack)
                .setSpread(spread)
                .build();
    }
}
