package io.surestate.agent.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.surestate.api.v1.Domain;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.NumaNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeDiscoveryTest {
    private static final long GIB = 1L << 30;
    private static final Machine MACHINE =
            new Machine("CPU", 2, 64 * GIB, "Linux 6", "host", List.of(), List.of(), List.of());

    @TempDir
    Path root;

    @BeforeEach
    void twoSocketMachine() throws IOException {
        write("sys/devices/system/cpu/online", "0-7");
        write("sys/devices/system/node/node0/cpulist", "0-3");
        write("sys/devices/system/node/node0/meminfo", "Node 0 MemTotal:       33554432 kB\nNode 0 MemFree: 1 kB\n");
        write("sys/devices/system/node/node1/cpulist", "4-7");
        write("sys/devices/system/node/node1/meminfo", "Node 1 MemTotal:       33554432 kB\n");
        write("sys/devices/system/cpu/cpu0/topology/physical_package_id", "0");
        write("sys/devices/system/cpu/cpu4/topology/physical_package_id", "1");
        write("proc/self/status", "Name:\tx\nCpus_allowed_list:\t0-6\n");
    }

    @Test
    void offersTheCoresThatAreOnlineAndAllowed() {
        NodeSpec spec = discover("", OptionalLong.empty());
        assertThat(spec.getNumaList())
                .extracting(NumaNode::getCoreIdsList)
                .containsExactly(List.of(0, 1, 2, 3), List.of(4, 5, 6));
        assertThat(spec.getNuma(1).getSocket()).isEqualTo(1);
        assertThat(spec.getMemoryBytes()).isEqualTo(64 * GIB - 64 * GIB / 20);
    }

    @Test
    void offersOnlyTheConfiguredShare() {
        NodeSpec spec = discover("1,5-6", OptionalLong.of(16 * GIB));
        assertThat(spec.getNumaList()).extracting(NumaNode::getCoreIdsList).containsExactly(List.of(1), List.of(5, 6));
        assertThat(spec.getMemoryBytes()).isEqualTo(16 * GIB);
        assertThat(spec.getNuma(0).getMemoryBytes()).isEqualTo(8 * GIB);
        assertThat(spec.getLabels(0).getKey()).isEqualTo("pool");
        assertThat(spec.getDomains(0).getName()).isEqualTo("r7");
    }

    @Test
    void refusesToOfferWhatIsNotThere() {
        assertThatThrownBy(() -> discover("0,7", OptionalLong.empty()))
                .hasMessage("resources.cores: \"7\" (expected: cores that are online and allowed: 0,1,2,3,4,5,6)");
        assertThatThrownBy(() -> discover("", OptionalLong.of(65 * GIB))).hasMessageStartingWith("resources.memory:");
    }

    @Test
    void aMachineWithoutNumaIsOnePlace() throws IOException {
        write("other/devices/system/cpu/online", "0-1");
        NodeSpec spec = new NodeDiscovery(root.resolve("other"), root.resolve("proc"), offer("", OptionalLong.empty()))
                .discover(MACHINE);
        assertThat(spec.getNumaList()).hasSize(1);
        assertThat(spec.getNuma(0).getCoreIdsList()).containsExactly(0, 1);
    }

    @Test
    void thisMachineHasCoresAndMemory() {
        Path sysfs = Path.of("/sys");
        NodeSpec spec = new NodeDiscovery(sysfs, Path.of("/proc"), offer("", OptionalLong.empty()))
                .discover(OshiMachine.look(sysfs, Path.of("/proc"), "here"));
        assertThat(spec.getNuma(0).getCoreIdsCount()).isPositive();
        assertThat(spec.getMemoryBytes()).isPositive();
        assertThat(spec.getCpuModel()).isNotEmpty();
        assertThat(spec.getSockets()).isPositive();
    }

    private NodeSpec discover(String cores, OptionalLong memory) {
        return new NodeDiscovery(root.resolve("sys"), root.resolve("proc"), offer(cores, memory)).discover(MACHINE);
    }

    private static NodeDiscovery.Offer offer(String cores, OptionalLong memory) {
        return new NodeDiscovery.Offer(
                CpuList.parse("resources.cores", cores),
                memory,
                Map.of("pool", "a"),
                List.of(Domain.newBuilder().setLevel("rack").setName("r7").build()));
    }

    private void write(String file, String text) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text + "\n");
    }
}
