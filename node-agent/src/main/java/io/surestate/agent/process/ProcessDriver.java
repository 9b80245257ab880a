package io.surestate.agent.process;

import io.surestate.agent.cgroup.ControlGroup;
import io.surestate.agent.driver.KnownTask;
import io.surestate.agent.driver.TaskDriver;
import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.TaskRef;
import io.surestate.api.v1.TaskState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs tasks as processes of this machine. Agent thread only. */
public final class ProcessDriver implements TaskDriver, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProcessDriver.class);

    private final Settings settings;
    private final ProcessTable table;
    private final ProcessScans scans;
    private final Workers workers;
    private final OutputRetention retention;
    private final Spawner spawner;
    private final TaskStart starts;
    private final TreeMap<String, ProcessTask> tasks = new TreeMap<>();
    private long nowMillis;

    /**
     * Where and as whom tasks run.
     *
     * @param tasksDir one folder per allocation
     * @param scriptsDir where the spawner's script is put
     * @param checkpointDir where jobs publish that name no folder of their own
     * @param nodeId part of each task's token
     * @param bootId the machine's
     * @param incarnation this agent process'
     * @param home HOME of the tasks
     * @param leftoverGraceMillis between the end of a task's program and the kill of what it left running
     * @param accounts that tasks run as
     * @param isolation keeps them to what they hold
     * @param containers runs those that have an image; empty = they are refused
     * @param masterPorts where rank 0 of a gang may listen
     * @param servers of the cluster
     */
    public record Settings(
            Path tasksDir,
            Path scriptsDir,
            Path checkpointDir,
            String nodeId,
            String bootId,
            String incarnation,
            String home,
            long leftoverGraceMillis,
            Tools tools,
            Accounts accounts,
            Isolation isolation,
            Optional<Containers> containers,
            PortRange masterPorts,
            List<String> servers) {
        public Settings {
            servers = List.copyOf(servers);
        }
    }

    /**
     * Threads for what may take long, so that the agent thread does not.
     *
     * @param files launches tasks and looks at checkpoints, both on file systems that may hang
     * @param images launches tasks with an image, which may have to be unpacked first
     * @param housekeeping removes the folders of forgotten tasks
     */
    public record Workers(Executor files, Executor images, Executor housekeeping) {}

    /**
     * Takes back what runs from before.
     *
     * @param workers do what may take long
     */
    public ProcessDriver(Settings settings, ProcessScans scans, Workers workers) {
        this.settings = settings;
        this.scans = scans;
        this.table = scans.table();
        this.workers = workers;
        Path mpiLauncher;
        try {
            Path script = Launcher.install(ProcessDriver.class, "spawner.sh", settings.scriptsDir());
            mpiLauncher = Launcher.install(ProcessDriver.class, "surestate-mpi-launch", settings.scriptsDir());
            Launcher.makeExecutable(mpiLauncher);
            spawner = new Spawner(script, settings.tasksDir().toAbsolutePath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.starts = new TaskStart(settings, spawner, mpiLauncher);
        this.retention = new OutputRetention(settings.tasksDir());
        for (ProcessTask task : new Recovery(settings, table, workers.files()).recover()) {
            tasks.put(task.folder().id(), task);
        }
        Set<String> known = Set.copyOf(tasks.keySet());
        workers.housekeeping().execute(() -> {
            settings.isolation().sweep(known);
            retention.sweep();
        });
    }

    @Override
    public void start(DesiredTask task) {
        String id = task.getAllocation().getId();
        if (tasks.containsKey(id)) {
            return;
        }
        if (!TaskFolder.isId(id)) {
            LOG.error("event=start-refused allocation=\"{}\" reason=\"not an allocation id\"", id);
            return;
        }
        TaskFolder folder = new TaskFolder(settings.tasksDir().resolve(id));
        Optional<CheckpointFolder> checkpoints = checkpoints(task, settings);
        ProcessTask fresh = new ProcessTask(
                folder,
                task,
                token(task, settings),
                settings.isolation().group(id),
                checkpoints.map(found -> new CheckpointWatch(found, workers.files())),
                ProcessTask.Origin.journalled(folder, settings.incarnation(), settings.leftoverGraceMillis()));
        tasks.put(id, fresh);
        try {
            starts.check(task);
        } catch (IllegalArgumentException e) {
            fresh.end(TaskState.TASK_STATE_FAILED, "cannot be started: " + e.getMessage());
            return;
        }
        Executor worker = task.getGroup().getImage().isEmpty() ? workers.files() : workers.images();
        worker.execute(() -> {
            try {
                starts.launch(task, folder, checkpoints);
            } catch (IOException | RuntimeException e) {
                fresh.launchFailed(e.toString());
            }
        });
    }

    @Override
    public void stop(String allocationId, long graceMillis) {
        attempt(allocationId, task -> task.stop(nowMillis, graceMillis));
    }

    @Override
    public void retire(String allocationId, long graceMillis) {
        attempt(allocationId, task -> task.retire(nowMillis, graceMillis));
    }

    @Override
    public void fence(String allocationId) {
        attempt(allocationId, task -> task.fence(nowMillis));
    }

    @Override
    public void forget(String allocationId) {
        ProcessTask task = tasks.get(allocationId);
        if (task == null || !task.ended()) {
            return;
        }
        try {
            retention.forget(task.folder());
            tasks.remove(allocationId);
            workers.housekeeping().execute(() -> {
                letGo(allocationId);
                retention.retire(task.folder());
                spawner.tidy();
            });
        } catch (IOException e) {
            LOG.warn("event=forget-failed allocation={} error=\"{}\"", allocationId, e.toString());
        }
    }

    private void letGo(String allocationId) {
        try {
            if (settings.containers().isPresent()) {
                settings.containers().get().forget(allocationId);
            }
        } catch (IOException e) {
            LOG.warn("event=container-kept allocation={} error=\"{}\"", allocationId, e.toString());
        }
        settings.isolation().group(allocationId).ifPresent(ControlGroup::remove);
    }

    @Override
    public void poll(long nowMillis) {
        this.nowMillis = nowMillis;
        tasks.keySet().forEach(id -> attempt(id, task -> task.poll(nowMillis, scans)));
    }

    /** No start from here on; what runs goes on. */
    @Override
    public void close() {
        spawner.close();
        settings.isolation().close();
    }

    @Override
    public List<KnownTask> tasks() {
        return tasks.values().stream().map(ProcessTask::known).toList();
    }

    private interface Step {
        void take(ProcessTask task) throws IOException;
    }

    private void attempt(String allocationId, Step step) {
        ProcessTask task = tasks.get(allocationId);
        if (task == null) {
            return;
        }
        try {
            step.take(task);
        } catch (IOException e) {
            LOG.warn("event=task-io allocation={} error=\"{}\"", allocationId, e.toString());
        }
    }

    static String token(DesiredTask task, Settings settings) {
        return token(task.getAllocation().getId(), task.getAllocation().getEpoch(), settings.nodeId());
    }

    /** Marks every process of an allocation. */
    public static String token(String allocationId, long epoch, String nodeId) {
        return allocationId + "/" + epoch + "/" + nodeId;
    }

    static Optional<CheckpointFolder> checkpoints(DesiredTask task, Settings settings) {
        if (!task.hasCheckpoint()) {
            return Optional.empty();
        }
        TaskRef ref = task.getAllocation().getTask();
        String where = task.getCheckpoint().getWhere();
        Path root = where.isEmpty() ? settings.checkpointDir() : Path.of(where);
        return Optional.of(new CheckpointFolder(
                root.resolve(ref.getJobUid()).resolve(ref.getGroup()).resolve(Integer.toString(ref.getIndex()))));
    }
}
