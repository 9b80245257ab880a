package io.surestate.agent.process;

import io.surestate.api.v1.Gang;
import io.surestate.api.v1.GangNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Files that tell MPI where a gang's tasks are, and the variables that tell MPI of the files and of how to reach those nodes without ssh. They lie in the
 * task's working folder because tasks with an image see no other.
 *
 * @param folder of the files
 * @param launcher program that runs a command on another node of the job
 */
record HostFiles(Path folder, Path launcher) {
    private Path openMpi() {
        return folder.resolve("hostfile");
    }

    private Path hydra() {
        return folder.resolve("hostfile.hydra");
    }

    void write(Gang gang) throws IOException {
        Files.createDirectories(folder);
        Files.writeString(
                openMpi(), lines(gang, node -> node.getName() + " slots=" + node.getSlots()), StandardCharsets.UTF_8);
        Files.writeString(hydra(), lines(gang, node -> node.getName() + ":" + node.getSlots()), StandardCharsets.UTF_8);
    }

    private static String lines(Gang gang, Function<GangNode, String> line) {
        return gang.getNodesList().stream().map(node -> line.apply(node) + "\n").collect(Collectors.joining());
    }

    /** One line for each node: its name, {@code slots=} and how many of the gang's tasks it has. */
    String hostFile() {
        return openMpi().toString();
    }

    /** What OpenMPI 4 and 5 and the Hydra of MPICH look at. Slurm's variables must not lead them to Slurm, which is not there. */
    Map<String, String> variables() {
        Map<String, String> env = new LinkedHashMap<>();
        env.put("OMPI_MCA_plm", "rsh");
        env.put("OMPI_MCA_plm_rsh_agent", launcher.toString());
        env.put("OMPI_MCA_ras", "^slurm");
        env.put("OMPI_MCA_orte_default_hostfile", openMpi().toString());
        env.put("PRTE_MCA_plm", "ssh");
        env.put("PRTE_MCA_plm_ssh_agent", launcher.toString());
        env.put("PRTE_MCA_ras", "^slurm");
        env.put("PRTE_MCA_prte_default_hostfile", openMpi().toString());
        env.put("HYDRA_RMK", "user");
        env.put("HYDRA_LAUNCHER", "ssh");
        env.put("HYDRA_LAUNCHER_EXEC", launcher.toString());
        // Ranks get the environment of their own task, not that of the task that calls mpirun: devices and token are
        // others.
        env.put("HYDRA_ENV", "none");
        env.put("HYDRA_HOST_FILE", hydra().toString());
        return env;
    }
}
