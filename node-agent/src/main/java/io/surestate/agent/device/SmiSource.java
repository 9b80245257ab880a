package io.surestate.agent.device;

import io.surestate.api.v1.Device;
import io.surestate.api.v1.NodeSpec;
import io.surestate.manifest.hardware.Hardware;
import io.surestate.manifest.hardware.HardwareException;
import io.surestate.manifest.hardware.HardwareFormat;
import io.surestate.manifest.hardware.HardwareSource;
import io.surestate.manifest.hardware.RocmSmiJson;
import java.util.List;
import java.util.Optional;

/**
 * The devices that a maker's tool lists, wired as its table of links says. The table is asked for when other devices are there than
 * before, and now and then again after it failed. One thread.
 */
public final class SmiSource implements DeviceSource {
    private static final int LOOKS_UNTIL_RETRY = 60;
    private static final int UNKNOWN = -1;

    private final Tool tool;
    private final Program program;
    private final KernelView kernel;
    private List<String> wired = List.of();
    private NodeSpec wiring = NodeSpec.getDefaultInstance();
    private String trouble = "";
    private int looksSinceTrouble;

    /** What to ask for, and in which form the answer comes. */
    record Question(List<String> arguments, HardwareFormat form) {}

    /**
     * A maker's tool. Immutable.
     *
     * @param links the table of links
     * @param namesPlaces whether that table numbers NUMA places as the kernel does
     * @param none what the tool says, and fails, where there is no device; empty = no such thing
     */
    public record Tool(String program, Question listing, Question links, boolean namesPlaces, String none) {
        static final Tool NVIDIA = new Tool(
                "nvidia-smi",
                new Question(List.of("-q", "-x"), HardwareFormat.NVIDIA_SMI_XML),
                new Question(List.of("topo", "-m"), HardwareFormat.NVIDIA_SMI_TOPO),
                true,
                "No devices were found");
        static final Tool AMD = new Tool(
                "rocm-smi",
                new Question(RocmSmiJson.ARGUMENTS, HardwareFormat.ROCM_SMI_JSON),
                new Question(List.of("--showtopo"), HardwareFormat.ROCM_SMI_TOPO),
                true,
                "No AMD GPUs");
        static final Tool ASCEND = new Tool(
                "npu-smi",
                new Question(List.of("info"), HardwareFormat.NPU_SMI_INFO),
                new Question(List.of("info", "-t", "topo"), HardwareFormat.NPU_SMI_TOPO),
                false,
                "");

        /** Those that are known. */
        public static List<Tool> all() {
            return List.of(NVIDIA, AMD, ASCEND);
        }
    }

    public SmiSource(Tool tool, Program program, KernelView kernel) {
        this.tool = tool;
        this.program = program;
        this.kernel = kernel;
    }

    @Override
    public String name() {
        return tool.program();
    }

    @Override
    public Finding look() {
        Program.Result result = program.run(tool.listing().arguments());
        if (result instanceof Program.Missing) {
            return new Absent();
        }
        if (result instanceof Program.Failed failed) {
            boolean none = !tool.none().isEmpty() && failed.reason().contains(tool.none());
            return none ? new Found(NodeSpec.getDefaultInstance(), List.of(), "") : new Failed(failed.reason());
        }
        try {
            Hardware listed = read(tool.listing(), result, "");
            NodeSpec spec = listed.nodes().get(0).getSpec();
            learnWiring(spec);
            return new Found(placed(spec), listed.signs(), trouble);
        } catch (HardwareException broken) {
            return new Failed(String.valueOf(broken.getMessage()));
        }
    }

    private Hardware read(Question question, Program.Result result, String model) {
        String name = tool.program() + " " + String.join(" ", question.arguments());
        if (result instanceof Program.Output output) {
            return question.form().read(new HardwareSource(name, output.text(), model));
        }
        throw new HardwareException(result instanceof Program.Failed failed ? failed.reason() : name + ": is gone");
    }

    private void learnWiring(NodeSpec listed) {
        List<Device> whole = listed.getDevicesList().stream()
                .filter(device -> device.getParentPlusOne() == 0)
                .toList();
        List<String> ids = whole.stream().map(Device::getHardwareId).toList();
        boolean failedLongAgo = !trouble.isEmpty() && ++looksSinceTrouble >= LOOKS_UNTIL_RETRY;
        if (ids.equals(wired) && !failedLongAgo) {
            return;
        }
        wired = ids;
        looksSinceTrouble = 0;
        wiring = NodeSpec.getDefaultInstance();
        trouble = "";
        if (whole.isEmpty()) {
            return;
        }
        try {
            NodeSpec table = read(
                            tool.links(),
                            program.run(tool.links().arguments()),
                            whole.get(0).getModel())
                    .nodes()
                    .get(0)
                    .getSpec();
            if (table.getDevicesCount() == whole.size()) {
                wiring = table;
            } else {
                trouble = tool.program() + " " + String.join(" ", tool.links().arguments()) + ": "
                        + table.getDevicesCount() + " devices (expected: " + whole.size() + ", as many as are listed)";
            }
        } catch (HardwareException broken) {
            trouble = String.valueOf(broken.getMessage());
        }
    }

    private NodeSpec placed(NodeSpec listed) {
        NodeSpec.Builder spec = listed.toBuilder().clearNuma().addAllLinks(wiring.getLinksList());
        spec.getDevicesBuilderList()
                .forEach(device -> device.addAllFiles(kernel.files(device.build()))
                        .setNumaNode(place(
                                device.getPciAddress(),
                                device.getParentPlusOne() == 0 ? device.getOrdinal() : device.getParentPlusOne() - 1)));
        return spec.build();
    }

    private int place(String pciAddress, int whole) {
        int known = pciAddress.isEmpty() ? UNKNOWN : kernel.numaOfPci(pciAddress);
        if (known != UNKNOWN) {
            return known;
        }
        return Optional.of(wiring)
                .filter(table -> tool.namesPlaces() && whole < table.getDevicesCount())
                .map(table -> table.getDevices(whole).getNumaNode())
                .orElse(UNKNOWN);
    }
}
