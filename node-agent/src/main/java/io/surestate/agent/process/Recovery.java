package io.surestate.agent.process;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.LeaseEnd;
import io.surestate.api.v1.TaskState;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a starting agent finds: the journal says what was started, the process table what is true. */
final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);

    private final ProcessDriver.Settings settings;
    private final ProcessTable table;
    private final Executor files;

    Recovery(ProcessDriver.Settings settings, ProcessTable table, Executor files) {
        this.files = files;
        this.settings = settings;
        this.table = table;
    }

    List<ProcessTask> recover() {
        List<ProcessTask> found = new ArrayList<>();
        Set<String> known = new HashSet<>();
        try {
            Files.createDirectories(settings.tasksDir());
            try (DirectoryStream<Path> folders = Files.newDirectoryStream(settings.tasksDir())) {
                for (Path folder : folders) {
                    journalled(new TaskFolder(folder)).ifPresent(task -> {
                        found.add(task);
                        known.add(task.folder().id());
                    });
                }
            }
            for (ProcessTable.Entry process : table.scan()) {
                Optional<ProcessTask> task = orphan(process);
                if (task.isPresent() && known.add(task.get().folder().id())) {
                    LOG.warn(
                            "event=orphan-found allocation={} pid={}",
                            task.get().folder().id(),
                            process.id().pid());
                    found.add(task.get());
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    private Optional<ProcessTask> journalled(TaskFolder folder) throws IOException {
        try {
            Optional<Journal.Start> start = Journal.read(folder);
            return start.isEmpty() ? Optional.empty() : adopt(folder, start.get());
        } catch (IOException e) {
            LOG.error("event=journal-set-aside folder={} error=\"{}\"", folder.path(), e.toString());
            Journal.setAside(folder);
            return Optional.empty();
        }
    }

    private Optional<ProcessTask> adopt(TaskFolder folder, Journal.Start start) throws IOException {
        DesiredTask desired = start.task();
        ProcessTask task = new ProcessTask(
                folder,
                desired,
                ProcessDriver.token(desired, settings),
                settings.isolation().group(folder.id()),
                ProcessDriver.checkpoints(desired, settings).map(found -> new CheckpointWatch(found, files)),
                ProcessTask.Origin.journalled(folder, start.incarnation(), settings.leftoverGraceMillis()));
        if (!start.bootId().equals(settings.bootId())) {
            task.end(TaskState.TASK_STATE_LOST, "the machine was restarted");
        } else if (folder.winClaim(start.incarnation())) {
            LOG.info("event=never-started allocation={}", folder.id());
            Files.deleteIfExists(folder.journal());
            return Optional.empty();
        }
        LOG.info("event=re-attached allocation={}", folder.id());
        return Optional.of(task);
    }

    /** A process of a task of this node whose journal is lost. */
    private Optional<ProcessTask> orphan(ProcessTable.Entry process) throws IOException {
        String token = process.token().orElse("");
        String[] parts = token.split("/", -1);
        if (parts.length != 3 || !parts[2].equals(settings.nodeId()) || !TaskFolder.isId(parts[0])) {
            return Optional.empty();
        }
        long epoch;
        try {
            epoch = Long.parseLong(parts[1]);
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
        DesiredTask desired = DesiredTask.newBuilder()
                .setAllocation(Allocation.newBuilder()
                        .setId(parts[0])
                        .setEpoch(epoch)
                        .setTask(TaskEnvironment.task(process.environment())))
                .setOnLeaseEnd(LeaseEnd.LEASE_END_STOP)
                .build();
        TaskFolder folder = new TaskFolder(settings.tasksDir().resolve(parts[0]));
        return Optional.of(new ProcessTask(
                folder,
                desired,
                token,
                settings.isolation().group(folder.id()),
                Optional.empty(),
                new ProcessTask.Origin(
                        settings.incarnation(), LaunchRecord.find(folder), false, settings.leftoverGraceMillis())));
    }
}
