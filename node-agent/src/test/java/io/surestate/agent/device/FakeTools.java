package io.surestate.agent.device;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Collectors;

/** Shell scripts under the names of makers' tools, and what those would print. */
public final class FakeTools {
    private FakeTools() {}

    /** Replaces it in one step, so that no half of it is ever run. */
    public static void write(Path folder, String name, String script) {
        try {
            Path fresh = folder.resolve(name + ".new");
            Files.writeString(fresh, "#!/bin/sh\n" + script + "\n");
            if (!fresh.toFile().setExecutable(true)) {
                throw new IllegalStateException("cannot be made executable: " + fresh);
            }
            Files.move(fresh, folder.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An {@code nvidia-smi} that lists these GPUs, joined by NVLink. */
    public static void nvidia(Path folder, Gpu... gpus) {
        String table = "\\t" + columns(gpus.length) + "\\tCPU Affinity\\tNUMA Affinity\\tGPU NUMA ID\\n";
        StringBuilder rows = new StringBuilder(table);
        for (int row = 0; row < gpus.length; row++) {
            rows.append("GPU").append(row);
            for (int column = 0; column < gpus.length; column++) {
                rows.append(row == column ? "\\t X " : "\\tNV18");
            }
            rows.append("\\t0-3\\t0\\t\\tN/A\\n");
        }
        write(
                folder,
                "nvidia-smi",
                "if [ \"$1\" = topo ]; then printf '" + rows + "'; exit; fi\ncat <<'END'\n" + xml(gpus) + "END");
    }

    private static String columns(int count) {
        return java.util.stream.IntStream.range(0, count)
                .mapToObj(gpu -> "GPU" + gpu)
                .collect(Collectors.joining("\\t"));
    }

    static String xml(Gpu... gpus) {
        return "<?xml version=\"1.0\" ?>\n<nvidia_smi_log>\n<attached_gpus>" + gpus.length + "</attached_gpus>\n"
                + List.of(gpus).stream().map(Gpu::xml).collect(Collectors.joining())
                + "</nvidia_smi_log>\n";
    }

    /**
     * One of {@code nvidia-smi}.
     *
     * @param number of its place on the bus
     * @param uuid empty = it says nothing but that it is lost
     * @param instances numbers of its MIG instances
     */
    public record Gpu(int number, String uuid, int uncorrected, int celsius, List<Integer> instances) {
        public static Gpu well(int number) {
            return new Gpu(number, "GPU-" + number, 0, 40, List.of());
        }

        public Gpu withErrors(int errors) {
            return new Gpu(number, uuid, errors, celsius, instances);
        }

        public Gpu cut(Integer... into) {
            return new Gpu(number, uuid, uncorrected, celsius, List.of(into));
        }

        public Gpu lost() {
            return new Gpu(number, "", 0, 0, instances);
        }

        String xml() {
            String place = "<gpu id=\"00000000:0" + number + ":00.0\">\n";
            if (uuid.isEmpty()) {
                return place + "<product_name>GPU is lost</product_name><uuid>GPU is lost</uuid></gpu>\n";
            }
            return place + "<product_name>NVIDIA H100 80GB HBM3</product_name><uuid>" + uuid + "</uuid>"
                    + "<fb_memory_usage><total>81559 MiB</total><used>9 MiB</used></fb_memory_usage>"
                    + "<temperature><gpu_temp>" + celsius + " C</gpu_temp></temperature>"
                    + "<gpu_power_readings><instant_power_draw>350.0 W</instant_power_draw>"
                    + "<current_power_limit>700.0 W</current_power_limit></gpu_power_readings>"
                    + "<ecc_errors><volatile><dram_uncorrectable>" + uncorrected
                    + "</dram_uncorrectable></volatile></ecc_errors>"
                    + "<fabric><cliqueId>7</cliqueId><clusterUuid>c-1</clusterUuid></fabric>"
                    + "<mig_devices>" + instances.stream().map(this::instance).collect(Collectors.joining())
                    + "</mig_devices></gpu>\n";
        }

        private String instance(int instance) {
            return "<mig_device><gpu_instance_id>" + instance + "</gpu_instance_id><compute_instance_id>0"
                    + "</compute_instance_id><device_attributes><shared><multiprocessor_count>16</multiprocessor_count>"
                    + "</shared></device_attributes><fb_memory_usage><total>9984 MiB</total></fb_memory_usage></mig_device>";
        }
    }
}
