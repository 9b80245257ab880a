package io.surestate.agent.process;

import io.surestate.agent.cgroup.ControlGroup;
import io.surestate.agent.process.RunScript.Surroundings;
import io.surestate.api.Names;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.NetworkMode;
import io.surestate.api.v1.TaskGroup;
import io.surestate.api.v1.TaskRef;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Makes all that a task needs on disk and in the kernel, and has it launched. Holds no state; for threads that may be slow. */
final class TaskStart {
    private final ProcessDriver.Settings settings;
    private final Spawner spawner;
    private final Path mpiLauncher;

    /** @param mpiLauncher what MPI is told to reach other nodes by */
    TaskStart(ProcessDriver.Settings settings, Spawner spawner, Path mpiLauncher) {
        this.settings = settings;
        this.spawner = spawner;
        this.mpiLauncher = mpiLauncher;
    }

    /** @throws IllegalArgumentException saying why it could never start */
    void check(DesiredTask task) {
        TaskRef ref = task.getAllocation().getTask();
        TaskGroup group = task.getGroup();
        if (group.getCommandCount() == 0 || group.getCommand(0).isEmpty()) {
            throw new IllegalArgumentException(Names.message("command", "", "a program"));
        }
        boolean plain = TaskFolder.isId(ref.getJobUid())
                && Names.labelProblem("group", ref.getGroup()).isEmpty();
        if (!plain) {
            throw new IllegalArgumentException(
                    Names.message("task", ref.getJobUid() + "/" + ref.getGroup(), "a job's uid and a group's name"));
        }
        String where = task.getCheckpoint().getWhere();
        if (!where.isEmpty() && !where.startsWith("/")) {
            throw new IllegalArgumentException(Names.message("checkpoint.where", where, "an absolute path"));
        }
        boolean nul = group.getCommandList().stream().anyMatch(word -> word.indexOf(0) >= 0)
                || group.getEnvList().stream()
                        .anyMatch(variable -> variable.getValue().indexOf(0) >= 0);
        if (nul) {
            throw new IllegalArgumentException("command or env: contains NUL (expected: text)");
        }
        settings.accounts().check(group.getUser());
        if (!group.getImage().isEmpty() && settings.containers().isEmpty()) {
            throw new IllegalArgumentException(Names.message(
                    "image",
                    group.getImage(),
                    "none, as this node's agent has no OCI runtime or does not run as root"));
        }
        if (group.getNetwork() == NetworkMode.NETWORK_MODE_NONE
                && !settings.tools().privileged()) {
            throw new IllegalArgumentException(
                    "network: NONE (expected: HOST, as this node's agent does not run as root)");
        }
    }

    /** @throws IOException if it was not launched */
    void launch(DesiredTask task, TaskFolder folder, Optional<CheckpointFolder> checkpoints) throws IOException {
        Files.createDirectories(folder.work());
        Files.createDirectories(folder.output());
        if (checkpoints.isPresent()) {
            checkpoints
                    .get()
                    .prepare(
                            task.getResumeStep(), task.getAllocation().getTask().getAttempt());
        }
        if (task.hasGang()) {
            hostFiles(folder).write(task.getGang());
        }
        Optional<String> account = settings.accounts().of(task.getGroup().getUser());
        if (account.isPresent()) {
            Accounts.give(folder.work(), account.get());
            if (checkpoints.isPresent()) {
                Accounts.give(checkpoints.get().path(), account.get());
            }
        }
        Optional<ControlGroup> control = settings.isolation().group(folder.id());
        if (control.isPresent()) {
            control.get().create(settings.isolation().bounds(task));
            writeDoors(folder, control.get().doors());
        }
        String script;
        if (task.getGroup().getImage().isEmpty()) {
            Surroundings around = surroundings(task, folder, account, control, checkpoints);
            Files.writeString(folder.entry(), RunScript.entry(around), StandardCharsets.UTF_8);
            script = RunScript.of(task.getGroup().getCommandList(), around);
        } else {
            script = fromImage(task, folder, checkpoints);
        }
        Journal.write(
                folder,
                new Journal.Start(task.toBuilder().clearGang().build(), settings.incarnation(), settings.bootId()),
                script);
        DurableFiles.sync(settings.tasksDir());
        spawner.launch(folder, settings.incarnation());
    }

    private Surroundings surroundings(
            DesiredTask task,
            TaskFolder folder,
            Optional<String> account,
            Optional<ControlGroup> control,
            Optional<CheckpointFolder> checkpoints) {
        TaskGroup group = task.getGroup();
        return new Surroundings(
                control.map(ControlGroup::doors).orElse(List.of()),
                group.getWorkingDir().isEmpty() ? folder.work() : Path.of(group.getWorkingDir()),
                control.isPresent() ? new TreeSet<>() : pinned(task),
                account,
                group.getNetwork() == NetworkMode.NETWORK_MODE_NONE,
                environment(task, folder, account.isPresent() ? "" : settings.home(), checkpoints, Map.of()));
    }

    /** The runtime itself runs as the agent does, outside of the task's control group, in which it makes one of its own. */
    private String fromImage(DesiredTask task, TaskFolder folder, Optional<CheckpointFolder> checkpoints)
            throws IOException {
        List<Path> folders = new ArrayList<>(List.of(folder.work()));
        checkpoints.ifPresent(published -> folders.add(published.path()));
        List<String> command = settings.containers()
                .orElseThrow()
                .prepare(
                        task,
                        folder,
                        new Containers.Start(
                                Accounts.Numbers.of(folder.work()),
                                image -> environment(task, folder, folder.work().toString(), checkpoints, image),
                                folders,
                                settings.isolation().devices(task),
                                settings.isolation().inner(folder.id())));
        return RunScript.of(
                command,
                new Surroundings(
                        List.of(),
                        folder.bundle(),
                        new TreeSet<>(),
                        Optional.empty(),
                        false,
                        Map.of("PATH", Tools.PATH, ProcessTable.TOKEN, ProcessDriver.token(task, settings))));
    }

    /** What the user says counts more than the image, that more than the node, and what only Surestate may say more than all. */
    private Map<String, String> environment(
            DesiredTask task,
            TaskFolder folder,
            String home,
            Optional<CheckpointFolder> checkpoints,
            Map<String, String> image) {
        Map<String, String> usual = new LinkedHashMap<>(RankVariables.of(task, settings.masterPorts()));
        usual.put("SSCTL_SERVER", String.join(",", settings.servers()));
        if (task.hasGang()) {
            usual.putAll(hostFiles(folder).variables());
        }
        usual.putAll(image);
        Map<String, String> environment = TaskEnvironment.of(
                task,
                ProcessDriver.token(task, settings),
                home,
                checkpoints,
                settings.isolation().devices(task),
                usual);
        if (task.hasGang()) {
            environment.put("SURESTATE_HOSTFILE", hostFiles(folder).hostFile());
        }
        return environment;
    }

    private HostFiles hostFiles(TaskFolder folder) {
        return new HostFiles(folder.work().resolve(".surestate"), mpiLauncher);
    }

    private NavigableSet<Integer> pinned(DesiredTask task) {
        NavigableSet<Integer> cores = new TreeSet<>();
        if (settings.tools().taskset()) {
            task.getAllocation().getClaim().getCoresList().stream()
                    .map(CoreShare::getCoreId)
                    .forEach(cores::add);
        }
        return cores;
    }

    /** For the keeper, which must find everything of the task without the agent. */
    private static void writeDoors(TaskFolder folder, List<Path> doors) throws IOException {
        String text = doors.stream().map(door -> door + "\n").collect(Collectors.joining());
        Files.writeString(folder.doors(), text, StandardCharsets.UTF_8);
    }
}
