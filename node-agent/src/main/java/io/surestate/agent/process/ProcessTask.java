package io.surestate.agent.process;

import io.surestate.agent.cgroup.ControlGroup;
import io.surestate.agent.driver.KnownTask;
import io.surestate.api.Limits;
import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.TaskReport;
import io.surestate.api.v1.TaskState;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One task attempt as a process tree, from its launch to the proof that nothing of it is left. Agent thread only, but for the word that the launch failed.
 *
 * <p>All that matters is on disk or in the process table, so that an agent that starts later comes to the same view.
 */
final class ProcessTask {
    private static final int KILL = 9;
    private static final long LAUNCH_MILLIS_MAX = 10_000;
    private static final long LAST_LOOK_MILLIS_MAX = 10_000;
    private static final long LAUNCHER_LOOK_MILLIS = 500;

    private final TaskFolder folder;
    private final DesiredTask desired;
    private final String token;
    private final Optional<ControlGroup> group;
    private final Optional<CheckpointWatch> checkpoints;
    private final Origin origin;
    private final TreeKiller killer = new TreeKiller();
    private final Optional<CheckpointSignal> signal;

    private TaskReport report;
    private LaunchRecord record = LaunchRecord.NONE;
    private long recordBytes;
    private boolean launcherGone;
    private long nextLauncherMillis;
    private Optional<Long> lookedNanos = Optional.empty();
    private long firstPollMillis = -1;
    private long nextCheckpointMillis;
    private long emptySinceMillis = -1;
    private long looksNeeded;
    /** Between the signal of a planned stop and the kill; negative = none is asked for. */
    private long retireGraceMillis = -1;

    private volatile String launchFailure = "";

    /**
     * How it came to be known.
     *
     * @param incarnation agent process that started it; names the claim
     * @param claim where its launcher keeps its record; empty where there is none
     * @param journalled false = found in the process table only
     * @param leftoverGraceMillis between the end of its program and the kill of what that left running
     */
    record Origin(String incarnation, Optional<Path> claim, boolean journalled, long leftoverGraceMillis) {
        static Origin journalled(TaskFolder folder, String incarnation, long leftoverGraceMillis) {
            return new Origin(incarnation, Optional.of(folder.claim(incarnation)), true, leftoverGraceMillis);
        }
    }

    ProcessTask(
            TaskFolder folder,
            DesiredTask desired,
            String token,
            Optional<ControlGroup> group,
            Optional<CheckpointWatch> checkpoints,
            Origin origin) {
        this.folder = folder;
        this.desired = desired;
        this.token = token;
        this.group = group;
        this.checkpoints = checkpoints;
        this.origin = origin;
        this.signal = CheckpointSignal.of(desired);
        this.report = TaskReport.newBuilder()
                .setAllocationId(desired.getAllocation().getId())
                .setEpoch(desired.getAllocation().getEpoch())
                .setTask(desired.getAllocation().getTask())
                .setState(origin.journalled() ? TaskState.TASK_STATE_STARTING : TaskState.TASK_STATE_RUNNING)
                .build();
    }

    KnownTask known() {
        return new KnownTask(desired, report);
    }

    boolean ended() {
        return known().ended();
    }

    TaskFolder folder() {
        return folder;
    }

    /** Nothing of it runs or ever will. */
    void end(TaskState state, String reason) {
        report = report.toBuilder().setState(state).setReason(cut(reason)).build();
    }

    /** It could not be launched; may be called from any thread. */
    void launchFailed(String reason) {
        launchFailure = reason;
    }

    void stop(long nowMillis, long graceMillis) throws IOException {
        endFromOutside(nowMillis, graceMillis, folder.stopMark());
    }

    /** As {@link #stop}, once it had the chance to publish a checkpoint. */
    void retire(long nowMillis, long graceMillis) throws IOException {
        if (ended() || killer.begun() || retireGraceMillis >= 0) {
            return;
        }
        look();
        if (signal.isEmpty() || record.leader().isEmpty() || record.exit().isPresent()) {
            stop(nowMillis, graceMillis);
        } else {
            retireGraceMillis = graceMillis;
            folder.mark(folder.stopMark());
        }
    }

    void fence(long nowMillis) throws IOException {
        endFromOutside(nowMillis, 0, folder.fenceMark());
    }

    private void endFromOutside(long nowMillis, long graceMillis, Path mark) throws IOException {
        if (ended() || (killer.begun() && Files.exists(mark))) {
            return;
        }
        look();
        if (record.exit().isEmpty()) {
            Files.createDirectories(folder.path());
            folder.mark(mark);
            report = report.toBuilder().setState(TaskState.TASK_STATE_STOPPING).build();
        }
        killer.begin(nowMillis, graceMillis);
        if (record.launcher().isEmpty() && origin.journalled() && folder.winClaim(origin.incarnation())) {
            boolean fenced = mark.equals(folder.fenceMark());
            end(
                    fenced ? TaskState.TASK_STATE_LOST : TaskState.TASK_STATE_CANCELLED,
                    fenced ? "the node's lease ended before it started" : "stopped before it started");
        }
    }

    /**
     * Looks at what happened.
     *
     * @param scans of all processes
     */
    void poll(long nowMillis, ProcessScans scans) throws IOException {
        if (ended()) {
            return;
        }
        firstPollMillis = firstPollMillis < 0 ? nowMillis : firstPollMillis;
        look();
        publishCheckpoint(nowMillis);
        if (isBeingLaunched(nowMillis, scans.table())) {
            return;
        }
        askForCheckpoints(nowMillis, scans.table());
        lookAfterLauncher(nowMillis, scans.table());
        boolean over = record.exit().isPresent() || Files.exists(folder.fenceMark()) || launcherGone;
        if (over || killer.begun()) {
            long looked = lookedNanos.orElseGet(scans::nowNanos);
            Optional<ProcessScans.Scan> scan = scans.after(looked);
            lookedNanos = Optional.of(scan.map(ProcessScans.Scan::beganNanos).orElse(looked));
            if (scan.isPresent()) {
                drain(nowMillis, scan.get().processes(), scans.table());
            }
        }
    }

    private void askForCheckpoints(long nowMillis, ProcessTable table) throws IOException {
        if (signal.isEmpty() || record.leader().isEmpty() || killer.begun()) {
            return;
        }
        ProcessId leader = record.leader().get();
        if (retireGraceMillis < 0) {
            signal.get().askRegularly(nowMillis, leader, table);
        } else if (signal.get().mayStop(nowMillis, leader, table, report.getCheckpointStep())) {
            stop(nowMillis, retireGraceMillis);
        }
    }

    private void look() throws IOException {
        if (record.exit().isPresent() || origin.claim().isEmpty()) {
            return;
        }
        // Every line makes it longer; a task that runs on costs no more than this.
        long bytes = origin.claim().get().toFile().length();
        if (bytes == recordBytes) {
            return;
        }
        recordBytes = bytes;
        record = LaunchRecord.read(origin.claim().get());
        if (report.getPid() == 0 && record.leader().isPresent()) {
            TaskReport.Builder seen =
                    report.toBuilder().setPid(record.leader().get().pid());
            if (report.getState() == TaskState.TASK_STATE_STARTING) {
                seen.setState(TaskState.TASK_STATE_RUNNING);
            }
            report = seen.build();
        }
    }

    private void lookAfterLauncher(long nowMillis, ProcessTable table) throws IOException {
        if (launcherGone || nowMillis < nextLauncherMillis) {
            return;
        }
        nextLauncherMillis = nowMillis + LAUNCHER_LOOK_MILLIS;
        launcherGone = record.launcher().filter(table::isLive).isEmpty();
        if (launcherGone) {
            // It may have written its last word since.
            look();
        }
    }

    /** Whether its program may still come to be. */
    private boolean isBeingLaunched(long nowMillis, ProcessTable table) throws IOException {
        if (record.leader().isPresent() || !origin.journalled() || record.exit().isPresent()) {
            return false;
        }
        boolean late = nowMillis - firstPollMillis >= LAUNCH_MILLIS_MAX;
        if (!launchFailure.isEmpty() && folder.winClaim(origin.incarnation())) {
            end(TaskState.TASK_STATE_FAILED, "cannot be started: " + launchFailure);
        } else if (late && folder.winClaim(origin.incarnation())) {
            end(TaskState.TASK_STATE_FAILED, "launcher: did not start (expected: within 10s)");
        } else if (late && record.launcher().filter(table::isLive).isEmpty()) {
            // Whoever is on the way to become the program looks for the mark after naming itself.
            folder.mark(folder.voidMark());
            look();
            return false;
        }
        return true;
    }

    private void publishCheckpoint(long nowMillis) {
        checkpoints.ifPresent(watch -> {
            if (nowMillis >= nextCheckpointMillis && watch.look()) {
                nextCheckpointMillis = nowMillis + Limits.HEARTBEAT_MILLIS_DEFAULT;
            }
            if (watch.newestStep() > report.getCheckpointStep()) {
                report =
                        report.toBuilder().setCheckpointStep(watch.newestStep()).build();
            }
        });
    }

    /** Whether the checkpoints were looked at since the last process was gone, or will not be seen any more. */
    private boolean lastCheckpointSeen(long nowMillis) {
        if (checkpoints.isEmpty()) {
            return true;
        }
        CheckpointWatch watch = checkpoints.get();
        if (emptySinceMillis < 0) {
            emptySinceMillis = nowMillis;
            looksNeeded = watch.looks() + (watch.look() ? 1 : 2);
        } else {
            watch.look();
        }
        return watch.looks() >= looksNeeded || nowMillis - emptySinceMillis >= LAST_LOOK_MILLIS_MAX;
    }

    private void drain(long nowMillis, List<ProcessTable.Entry> processes, ProcessTable table) throws IOException {
        boolean orphan = !origin.journalled() && record.exit().isEmpty() && !killer.begun();
        List<ProcessId> members = members(processes, table);
        if (orphan && !members.isEmpty() && !Files.exists(folder.fenceMark())) {
            return;
        }
        killer.begin(nowMillis, Files.exists(folder.fenceMark()) ? 0 : origin.leftoverGraceMillis());
        boolean empty = killer.pursue(members, witnesses(), table, nowMillis);
        // After the first kill only: a program that cannot fork any more would end by itself, and seem to have failed.
        if (!empty && killer.kills(nowMillis) && group.isPresent()) {
            group.get().choke();
        }
        if (empty && lastCheckpointSeen(nowMillis)) {
            publishCheckpoint(nowMillis);
            conclude();
        }
    }

    private List<ProcessId> members(List<ProcessTable.Entry> processes, ProcessTable table) throws IOException {
        Set<ProcessId> members = new LinkedHashSet<>(marked(processes));
        if (group.isPresent()) {
            for (long pid : group.get().processes()) {
                table.identify(pid).ifPresent(members::add);
            }
        }
        return List.copyOf(members);
    }

    private Set<ProcessId> witnesses() {
        Set<ProcessId> witnesses = new LinkedHashSet<>();
        record.launcher().ifPresent(witnesses::add);
        if (hasImage()) {
            record.leader().ifPresent(witnesses::add);
        }
        return witnesses;
    }

    private boolean hasImage() {
        return !desired.getGroup().getImage().isEmpty();
    }

    /** Those of its session, and those that carry its token. */
    private List<ProcessId> marked(List<ProcessTable.Entry> processes) {
        Optional<ProcessId> launcher = record.launcher();
        Optional<ProcessId> leader = record.leader();
        boolean sessionReused = leader.isPresent()
                && processes.stream().anyMatch(p -> p.id().pid() == leader.get().pid() && !p.id().equals(leader.get()));
        long session = leader.isEmpty() || sessionReused ? -1 : leader.get().pid();
        long sinceTicks = launcher.map(ProcessId::startTicks).orElse(0L);
        return processes.stream()
                .filter(p -> p.session() == session
                        || launcher.filter(p.id()::equals).isPresent()
                        || leader.filter(p.id()::equals).isPresent()
                        || (p.id().startTicks() >= sinceTicks
                                && p.token().map(token::equals).orElse(false)))
                .map(ProcessTable.Entry::id)
                .toList();
    }

    private void conclude() throws IOException {
        look();
        Optional<Exit> exit = hasImage() ? record.exit().map(Exit::ofRuntime) : record.exit();
        boolean killed = exit.isEmpty() || exit.get().signal() == KILL;
        exit.ifPresent(e -> report =
                report.toBuilder().setExitCode(e.code()).setSignal(e.signal()).build());
        if (killed && Files.exists(folder.fenceMark())) {
            end(TaskState.TASK_STATE_LOST, "the node's lease ended; the task was killed");
        } else if (Files.exists(folder.stopMark())) {
            end(TaskState.TASK_STATE_CANCELLED, "stopped");
        } else if (exit.isEmpty()) {
            end(TaskState.TASK_STATE_FAILED, "its launcher was killed; how the program ended is unknown");
        } else if (exit.get().equals(new Exit(0, 0))) {
            end(TaskState.TASK_STATE_SUCCEEDED, "");
        } else {
            end(TaskState.TASK_STATE_FAILED, explain(exit.get()));
        }
    }

    private String explain(Exit exit) {
        String program =
                desired.getGroup().getCommandCount() > 0 ? desired.getGroup().getCommand(0) : "?";
        if (exit.signal() != 0) {
            return "killed by signal " + exit.signal() + (exit.signal() == KILL ? shortage() : "");
        }
        return switch (exit.code()) {
            case 127 -> "exit code 127: command not found: " + program;
            case 126 -> "exit code 126: cannot be run, or its working folder is not there: " + program;
            default -> "exit code " + exit.code();
        };
    }

    private String shortage() {
        long bytes = desired.getAllocation().getClaim().getMemoryBytes();
        return switch (group.map(ControlGroup::shortage).orElse(ControlGroup.Shortage.NONE)) {
            case KILLED -> ": it needed more memory than the " + bytes + " bytes that it holds";
            case MET -> ", after it had used all of the " + bytes + " bytes of memory that it holds";
            case NONE -> "";
        };
    }

    private static String cut(String reason) {
        return reason.length() <= Limits.REASON_CHARS_MAX ? reason : reason.substring(0, Limits.REASON_CHARS_MAX);
    }
}
