package io.surestate.agent.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.surestate.agent.device.FakeTools.Gpu;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.DeviceHealth;
import io.surestate.api.v1.DeviceTelemetry;
import io.surestate.api.v1.Domain;
import io.surestate.api.v1.Link;
import io.surestate.api.v1.NodeCondition;
import io.surestate.api.v1.NodeSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Scripts in the place of the makers' tools, look after look. */
class DeviceWatchTest {
    private static final NodeSpec MACHINE = NodeSpec.newBuilder()
            .setHostname("h")
            .addDomains(Domain.newBuilder().setLevel("rack").setName("r7"))
            .build();

    @TempDir
    Path root;

    private DeviceSource nvidia;
    private DeviceWatch watch;

    @BeforeEach
    void startAgent() {
        Program.Bounds bounds = bounds();
        nvidia = new SmiSource(SmiSource.Tool.NVIDIA, new Program("nvidia-smi", bounds), new PlainKernel("0000:01", 1));
        watch = new DeviceWatch(MACHINE, List.of(nvidia), root.resolve("devices"));
    }

    private Program.Bounds bounds() {
        return new Program.Bounds(root + ":/usr/bin:/bin", Duration.ofSeconds(20), 1 << 20);
    }

    @Test
    void aMachineWithoutTheToolHasNothingOfItsKindAndNothingIsTheMatter() {
        look();
        assertThat(watch.picture().spec()).isEqualTo(MACHINE);
        assertThat(conditions()).isEmpty();
    }

    @Test
    void findsGpusWithPlaceLinksAndDomain() {
        FakeTools.nvidia(root, Gpu.well(0), Gpu.well(1));
        look();
        NodeSpec spec = watch.picture().spec();
        assertThat(spec.getDevicesList())
                .extracting(
                        Device::getOrdinal,
                        Device::getHardwareId,
                        Device::getPciAddress,
                        Device::getNumaNode,
                        Device::getHealth)
                .containsExactly(
                        tuple(0, "GPU-0", "0000:00:00.0", 0, DeviceHealth.DEVICE_HEALTH_HEALTHY),
                        tuple(1, "GPU-1", "0000:01:00.0", 1, DeviceHealth.DEVICE_HEALTH_HEALTHY));
        assertThat(spec.getLinksList())
                .containsExactly(Link.newBuilder()
                        .setToOrdinal(1)
                        .setType("NVLINK")
                        .setBitsPerSecond(18 * 200_000_000_000L)
                        .build());
        assertThat(spec.getDomainsList())
                .extracting(Domain::getLevel, Domain::getName)
                .containsExactly(tuple("rack", "r7"), tuple("nvlink", "c-1.7"));
        assertThat(watch.telemetry())
                .extracting(DeviceTelemetry::getTemperatureCelsius)
                .containsExactly(40, 40);
    }

    @Test
    void aDeviceKeepsItsNumberWhateverOthersComeAndGo() {
        FakeTools.nvidia(root, Gpu.well(1), Gpu.well(2));
        look();
        FakeTools.nvidia(root, Gpu.well(0), Gpu.well(2));
        look();
        assertThat(numbers()).containsExactly(tuple(0, "GPU-1"), tuple(1, "GPU-2"), tuple(2, "GPU-0"));
        startAgent();
        look();
        assertThat(numbers()).containsExactly(tuple(1, "GPU-2"), tuple(2, "GPU-0"));
        FakeTools.nvidia(root, Gpu.well(0), Gpu.well(1), Gpu.well(2));
        look();
        assertThat(numbers()).containsExactly(tuple(0, "GPU-1"), tuple(1, "GPU-2"), tuple(2, "GPU-0"));
    }

    @Test
    void eightGpusThatBecomeNoneAreAllIllAndNotForgotten() {
        Gpu[] eight = new Gpu[8];
        for (int gpu = 0; gpu < eight.length; gpu++) {
            eight[gpu] = Gpu.well(gpu);
        }
        FakeTools.nvidia(root, eight);
        look();
        NodeSpec before = watch.picture().spec();
        FakeTools.write(root, "nvidia-smi", "echo 'No devices were found'; exit 6");
        look();
        assertThat(conditions()).isEmpty();
        NodeSpec after = watch.picture().spec();
        assertThat(after.getDevicesList())
                .hasSize(8)
                .allMatch(device -> device.getHealth() == DeviceHealth.DEVICE_HEALTH_UNHEALTHY);
        assertThat(watch.picture().ailments()).hasSize(8).containsEntry(3, "nvidia-smi no longer lists it");
        assertThat(after.getLinksList()).isEqualTo(before.getLinksList());
        assertThat(after.getDomainsList()).isEqualTo(before.getDomainsList());
        FakeTools.nvidia(root);
        look();
        assertThat(conditions()).isEmpty();
        assertThat(watch.picture().spec()).isEqualTo(after);
        FakeTools.nvidia(root, eight);
        look();
        assertThat(watch.picture().spec()).isEqualTo(before);
        assertThat(watch.picture().ailments()).isEmpty();
    }

    @Test
    void aGpuThatFellOffTheBusIsTheOneThatWasAtItsPlace() {
        FakeTools.nvidia(root, Gpu.well(0), Gpu.well(1));
        look();
        FakeTools.nvidia(root, Gpu.well(0), Gpu.well(1).lost());
        look();
        assertThat(watch.picture().ailments()).containsOnlyKeys(1).containsValue("fell off the bus");
        assertThat(watch.picture().spec().getDevices(1).getHardwareId()).isEqualTo("GPU-1");
        assertThat(watch.picture().spec().getDevices(1).getMemoryBytes()).isPositive();
    }

    @Test
    void uncorrectableErrorsMakeADeviceIllUntilTheyAreGone() {
        FakeTools.nvidia(root, Gpu.well(0).withErrors(3));
        look();
        assertThat(watch.picture().ailments()).containsEntry(0, "uncorrectable memory errors: 3");
        FakeTools.nvidia(root, Gpu.well(0));
        look();
        assertThat(watch.picture().ailments()).isEmpty();
    }

    @Test
    void aGpuThatIsCutAnewHasItsNewPartitionsAlone() {
        FakeTools.nvidia(root, Gpu.well(0).cut(1, 2), Gpu.well(1));
        look();
        assertThat(numbers())
                .containsExactly(tuple(0, "GPU-0"), tuple(1, "GPU-1"), tuple(2, "GPU-0/1/0"), tuple(3, "GPU-0/2/0"));
        assertThat(watch.picture().spec().getDevices(2).getParentPlusOne()).isEqualTo(1);
        assertThat(watch.picture().spec().getDevices(2).getPartition()).isEqualTo("1g.10gb");
        FakeTools.nvidia(root, Gpu.well(0).cut(2, 5), Gpu.well(1));
        look();
        assertThat(numbers())
                .containsExactly(tuple(0, "GPU-0"), tuple(1, "GPU-1"), tuple(3, "GPU-0/2/0"), tuple(4, "GPU-0/5/0"));
        FakeTools.nvidia(root, Gpu.well(1));
        look();
        assertThat(watch.picture().ailments()).containsOnlyKeys(0, 3, 4);
    }

    @Test
    void anotherGpuInTheSamePlaceReplacesTheOneBefore() {
        FakeTools.nvidia(root, Gpu.well(0));
        look();
        FakeTools.nvidia(root, new Gpu(0, "GPU-new", 0, 40, List.of()));
        look();
        assertThat(numbers()).containsExactly(tuple(1, "GPU-new"));
    }

    @Test
    void aToolThatFailsOrPrintsHalfIsACondition_andDevicesStayAsTheyWere() {
        FakeTools.nvidia(root, Gpu.well(0));
        look();
        NodeSpec before = watch.picture().spec();
        FakeTools.write(
                root, "nvidia-smi", "echo 'Failed to initialize NVML: Driver/library version mismatch'; exit 18");
        look();
        assertThat(conditions())
                .containsExactly(tuple(
                        "discovery/nvidia-smi",
                        "nvidia-smi -q -x: exit code 18: Failed to initialize NVML: Driver/library version mismatch"));
        assertThat(watch.picture().spec()).isEqualTo(before);
        assertThat(watch.telemetry()).isEmpty();
        String whole = FakeTools.xml(Gpu.well(0));
        FakeTools.write(root, "nvidia-smi", "cat <<'END'\n" + whole.substring(0, whole.length() / 2) + "\nEND");
        look();
        assertThat(watch.picture().spec()).isEqualTo(before);
        FakeTools.nvidia(root, Gpu.well(0));
        for (int i = 0; i < Conditions.LOOKS_UNTIL_OVER; i++) {
            look();
        }
        assertThat(conditions()).isEmpty();
    }

    @Test
    void anAgentThatStartsWhileTheToolFailsHasTheDevicesThatItHad() {
        FakeTools.nvidia(root, Gpu.well(0), Gpu.well(1));
        look();
        NodeSpec before = watch.picture().spec();
        FakeTools.write(root, "nvidia-smi", "exit 1");
        startAgent();
        look();
        assertThat(watch.picture().spec()).isEqualTo(before);
        assertThat(conditions()).hasSize(1);
    }

    @Test
    void aToolThatIsGoneIsACondition() throws IOException {
        FakeTools.nvidia(root, Gpu.well(0));
        look();
        Files.delete(root.resolve("nvidia-smi"));
        look();
        assertThat(conditions())
                .containsExactly(
                        tuple("discovery/nvidia-smi", "nvidia-smi: the program is gone (expected: where it was)"));
        assertThat(numbers()).containsExactly(tuple(0, "GPU-0"));
    }

    @Test
    void aTableOfLinksThatCannotBeReadCostsTheLinksAlone() {
        FakeTools.write(
                root,
                "nvidia-smi",
                "[ \"$1\" != topo ] || exit 3\ncat <<'END'\n" + FakeTools.xml(Gpu.well(0), Gpu.well(1)) + "END");
        look();
        assertThat(numbers()).hasSize(2);
        assertThat(watch.picture().spec().getLinksList()).isEmpty();
        assertThat(conditions()).containsExactly(tuple("discovery/nvidia-smi", "nvidia-smi topo -m: exit code 3"));
    }

    @Test
    void twoDevicesOfOneIdAreRefused() {
        Gpu twin = new Gpu(1, "GPU-0", 0, 40, List.of());
        FakeTools.nvidia(root, Gpu.well(0), twin);
        look();
        assertThat(numbers()).isEmpty();
        assertThat(conditions().get(0).toString()).contains("two with the hardware id GPU-0");
    }

    @Test
    void numbersOfADamagedFileAreGivenAnewAndItIsSaid() throws IOException {
        FakeTools.nvidia(root, Gpu.well(0));
        look();
        Files.writeString(root.resolve("devices/ordinals"), "0 1 a\n0 1 b\n");
        startAgent();
        look();
        assertThat(numbers()).containsExactly(tuple(0, "GPU-0"));
        assertThat(conditions().get(0).toString()).contains("discovery/ordinals", "given anew");
        assertThat(root.resolve("devices/ordinals.damaged")).exists();
    }

    @Test
    void aPlugInAddsDevicesOfItsOwn() {
        FakeTools.write(
                root,
                "qpus",
                "cat <<'END'\n{\"devices\": [{\"ordinal\": 0, \"kind\": \"QPU\", \"model\": \"Q20\", \"hardwareId\": \"q-1\", \"numaNode\": -1}],"
                        + " \"labels\": {\"site\": \"a\"}, \"countables\": {\"licenses/q\": 3},"
                        + " \"ailments\": [{\"ordinal\": 0, \"reason\": \"too warm\"}],"
                        + " \"telemetry\": [{\"ordinal\": 0, \"temperatureCelsius\": 4}]}\nEND");
        DeviceSource qpus = new PluginSource("plugin-qpus", root.resolve("qpus"), bounds());
        FakeTools.nvidia(root, Gpu.well(0));
        watch = new DeviceWatch(MACHINE, List.of(nvidia, qpus), root.resolve("devices"));
        look();
        watch.look(qpus);
        assertThat(numbers()).containsExactly(tuple(0, "GPU-0"), tuple(1, "q-1"));
        assertThat(watch.picture().ailments()).containsEntry(1, "too warm");
        assertThat(watch.picture().spec().getLabels(0).getKey()).isEqualTo("site");
        assertThat(watch.picture().spec().getCountables(0).getAmount()).isEqualTo(3);
        assertThat(watch.telemetry()).extracting(DeviceTelemetry::getOrdinal).containsExactly(0, 1);
    }

    @Test
    void aPlugInThatWouldMakeTheNodeOneThatNoServerTakesIsRefused() {
        String domains = IntStream.range(0, 16)
                .mapToObj(level -> "{\"level\": \"l" + level + "\", \"name\": \"x\"}")
                .collect(Collectors.joining(","));
        FakeTools.write(root, "qpus", "echo '{\"domains\": [" + domains + "]}'");
        DeviceSource qpus = new PluginSource("plugin-qpus", root.resolve("qpus"), bounds());
        watch = new DeviceWatch(MACHINE, List.of(nvidia, qpus), root.resolve("devices"));
        watch.look(qpus);
        assertThat(watch.picture().spec()).isEqualTo(MACHINE);
        assertThat(conditions().get(0).toString()).contains("discovery/plugin-qpus", "domains: \"17\"");
    }

    @Test
    void theExampleInTheDocumentationIsWhatAPlugInMayPrint() throws IOException {
        String guide = Files.readString(Path.of("../docs/node-agent.md"));
        int begin = guide.indexOf("```json") + "```json".length();
        FakeTools.write(root, "qpus", "cat <<'END'" + guide.substring(begin, guide.indexOf("```", begin)) + "END");
        DeviceSource.Finding finding = new PluginSource("plugin-qpus", root.resolve("qpus"), bounds()).look();
        assertThat(finding).isInstanceOf(DeviceSource.Found.class);
        assertThat(((DeviceSource.Found) finding).signs().get(0).ailment()).isEqualTo("not calibrated");
    }

    @Test
    void whatAPlugInMustNotPrintIsNamed() {
        assertThat(plugin("{\"devices\": [{\"ordinal\": 0, \"kind\": \"QPU\"}]}"))
                .contains("hardwareId: \"\"");
        assertThat(plugin("{\"devices\": [{\"ordinal\": 0, \"kind\": \"QPUU\", \"hardwareId\": \"x\"}]}"))
                .contains("QPUU");
        assertThat(plugin("{\"divices\": []}")).contains("divices");
        assertThat(plugin("{\"devices\": [")).contains("qpus");
        assertThat(plugin("{\"links\": [{\"fromOrdinal\": 0, \"toOrdinal\": 1, \"type\": \"X\"}]}"))
                .contains("links: \"0-1\"");
        assertThat(plugin("")).contains("empty");
    }

    private String plugin(String output) {
        FakeTools.write(root, "qpus", "printf '%s' '" + output + "'");
        DeviceSource.Finding finding = new PluginSource("plugin-qpus", root.resolve("qpus"), bounds()).look();
        assertThat(finding).isInstanceOf(DeviceSource.Failed.class);
        return ((DeviceSource.Failed) finding).reason();
    }

    private void look() {
        watch.look(nvidia);
    }

    private List<org.assertj.core.groups.Tuple> numbers() {
        return watch.picture().spec().getDevicesList().stream()
                .map(device -> tuple(device.getOrdinal(), device.getHardwareId()))
                .toList();
    }

    private List<org.assertj.core.groups.Tuple> conditions() {
        return watch.picture().conditions().getConditionsList().stream()
                .map((NodeCondition condition) -> tuple(condition.getName(), condition.getReason()))
                .toList();
    }
}
