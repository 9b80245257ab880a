package io.surestate.testkit.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.surestate.api.v1.Device;
import io.surestate.api.v1.Node;
import io.surestate.api.v1.NodeState;
import io.surestate.api.v1.NodeStatus;
import io.surestate.api.v1.Quarantine;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real agent, whose {@code nvidia-smi} is a script, and what the ledger of a real server makes of it. */
class DeviceWatchWireTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @TempDir
    private Path folder;

    @Test
    void whatBecomesOfDevicesReachesTheLedger() throws IOException {
        Path tools = Files.createDirectory(folder.resolve("tools"));
        lists(tools, gpu(0, 0), gpu(1, 0));
        ClusterLayout layout = ClusterLayout.of(folder, 1);
        try (ProcessCluster cluster = ProcessCluster.start(layout);
                Api api = Api.of(layout)) {
            cluster.startAgentWithTools("n", tools);
            Node first = until(api, node -> node.getSpec().getDevicesCount() == 2);
            assertThat(first.getStatus().getQuarantinedCount()).isZero();

            says(tools, "echo 'No devices were found'; exit 6");
            Node lost = until(api, node -> node.getStatus().getQuarantinedCount() == 2);
            assertThat(lost.getStatus().getQuarantinedList())
                    .extracting(Quarantine::getOrdinal, Quarantine::getReason)
                    .containsExactly(
                            tuple(0, "nvidia-smi no longer lists it"), tuple(1, "nvidia-smi no longer lists it"));

            lists(tools, gpu(0, 0), gpu(1, 4));
            Node ill = until(api, node -> ordinals(node.getStatus()).equals(List.of(1)));
            assertThat(ill.getStatus().getEpoch()).isEqualTo(first.getStatus().getEpoch());

            says(tools, "echo '<nvidia_smi_log><gpu>'");
            Node confused = until(api, node -> node.getStatus().getConditionsCount() == 1);
            assertThat(confused.getStatus().getConditions(0).getReason()).contains("not well-formed XML");
            assertThat(confused.getStatus().getState()).isEqualTo(NodeState.NODE_STATE_READY);

            lists(tools, gpu(0, 0, 1, 2), gpu(1, 0));
            Node cut = until(api, node -> node.getSpec().getDevicesCount() == 4);
            assertThat(cut.getStatus().getEpoch())
                    .isGreaterThan(first.getStatus().getEpoch());
            assertThat(cut.getSpec().getDevicesList())
                    .extracting(Device::getOrdinal, Device::getParentPlusOne)
                    .containsExactly(tuple(0, 0), tuple(1, 0), tuple(2, 1), tuple(3, 1));
            until(api, node -> node.getStatus().getConditionsCount() == 0);
        }
    }

    private static List<Integer> ordinals(NodeStatus status) {
        return status.getQuarantinedList().stream().map(Quarantine::getOrdinal).toList();
    }

    private static Node until(Api api, Predicate<Node> holds) {
        return await().atMost(PATIENCE)
                .ignoreExceptions()
                .until(() -> api.nodes().getNodesList().get(0), holds);
    }

    private static String gpu(int number, int errors, Integer... instances) {
        String parts = List.of(instances).stream()
                .map(
                        instance ->
                                "<mig_device><gpu_instance_id>" + instance + "</gpu_instance_id><compute_instance_id>0"
                                        + "</compute_instance_id><fb_memory_usage><total>9984 MiB</total></fb_memory_usage></mig_device>")
                .collect(Collectors.joining());
        return "<gpu id=\"00000000:0" + number + ":00.0\"><product_name>GPU</product_name><uuid>GPU-" + number
                + "</uuid><fb_memory_usage><total>81559 MiB</total></fb_memory_usage><ecc_errors><volatile>"
                + "<dram_uncorrectable>" + errors + "</dram_uncorrectable></volatile></ecc_errors><mig_devices>" + parts
                + "</mig_devices></gpu>";
    }

    private static void lists(Path tools, String... gpus) {
        String columns =
                IntStream.range(0, gpus.length).mapToObj(gpu -> "\\tGPU" + gpu).collect(Collectors.joining());
        says(
                tools,
                "if [ \"$1\" = topo ]; then printf '" + columns
                        + "\\nGPU0\\t X \\tNV18\\nGPU1\\tNV18\\t X \\n'; else echo '"
                        + "<nvidia_smi_log><attached_gpus>" + gpus.length + "</attached_gpus>" + String.join("", gpus)
                        + "</nvidia_smi_log>'; fi");
    }

    private static void says(Path tools, String script) {
        try {
            Path fresh = tools.resolve("fresh");
            Files.writeString(fresh, "#!/bin/sh\n" + script + "\n");
            if (!fresh.toFile().setExecutable(true)) {
                throw new IllegalStateException("cannot be made executable: " + fresh);
            }
            Files.move(fresh, tools.resolve("nvidia-smi"), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
