package io.surestate.agent.fake;

import io.surestate.agent.driver.KnownTask;
import io.surestate.agent.driver.TaskDriver;
import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.TaskReport;
import io.surestate.api.v1.TaskState;
import java.util.List;
import java.util.TreeMap;

/**
 * Tasks that only exist as numbers, on the clock of whoever polls. Agent thread only.
 *
 * <p>The driver outlives the agent core that uses it, as processes outlive an agent: give it to the next one.
 */
public final class SimulatedDriver implements TaskDriver {
    private final TaskScript script;
    private final TreeMap<String, Virtual> tasks = new TreeMap<>();
    private long nextPid = 1;
    private long nowMillis;

    public SimulatedDriver(TaskScript script) {
        this.script = script;
    }

    private static final class Virtual {
        private final DesiredTask desired;
        private final TaskScript.Run run;
        private final long startMillis;
        private TaskReport report;
        private long stopMillis = Long.MAX_VALUE;
        private boolean fenced;

        Virtual(DesiredTask desired, TaskScript.Run run, long startMillis, TaskReport report) {
            this.desired = desired;
            this.run = run;
            this.startMillis = startMillis;
            this.report = report;
        }

        KnownTask known() {
            return new KnownTask(desired, report);
        }
    }

    @Override
    public void start(DesiredTask task) {
        String id = task.getAllocation().getId();
        if (tasks.containsKey(id)) {
            return;
        }
        TaskReport report = TaskReport.newBuilder()
                .setAllocationId(id)
                .setEpoch(task.getAllocation().getEpoch())
                .setTask(task.getAllocation().getTask())
                .setState(TaskState.TASK_STATE_STARTING)
                .setPid(nextPid++)
                .build();
        tasks.put(id, new Virtual(task, script.run(task), nowMillis, report));
    }

    @Override
    public void stop(String allocationId, long graceMillis) {
        Virtual task = tasks.get(allocationId);
        if (task != null && !task.known().ended()) {
            long delay = Math.min(graceMillis, task.run.stopMillis());
            task.stopMillis = Math.min(task.stopMillis, nowMillis + delay);
            task.report = task.report.toBuilder()
                    .setState(TaskState.TASK_STATE_STOPPING)
                    .build();
        }
    }

    @Override
    public void fence(String allocationId) {
        Virtual task = tasks.get(allocationId);
        if (task != null && !task.known().ended()) {
            task.stopMillis = nowMillis;
            task.fenced = true;
        }
    }

    @Override
    public void forget(String allocationId) {
        Virtual task = tasks.get(allocationId);
        if (task != null && task.known().ended()) {
            tasks.remove(allocationId);
        }
    }

    @Override
    public void poll(long nowMillis) {
        this.nowMillis = nowMillis;
        tasks.values().stream().filter(task -> !task.known().ended()).forEach(task -> advance(task, nowMillis));
    }

    private static void advance(Virtual task, long nowMillis) {
        long endMillis = task.startMillis + task.run.millis();
        TaskReport.Builder next = task.report.toBuilder();
        if (task.desired.hasCheckpoint()) {
            long interval = Math.max(1, task.desired.getCheckpoint().getIntervalMillis());
            long until = Math.min(nowMillis, Math.min(endMillis, task.stopMillis));
            next.setCheckpointStep(task.desired.getResumeStep() + (until - task.startMillis) / interval);
        }
        if (nowMillis >= task.stopMillis && task.stopMillis < endMillis) {
            next.setSignal(task.fenced ? 9 : 15);
            next.setState(task.fenced ? TaskState.TASK_STATE_LOST : TaskState.TASK_STATE_CANCELLED);
            next.setReason(task.fenced ? "the node's lease ended; the task was killed" : "stopped");
        } else if (nowMillis >= endMillis) {
            boolean failed = task.run.exitCode() != 0;
            next.setExitCode(task.run.exitCode());
            next.setState(failed ? TaskState.TASK_STATE_FAILED : TaskState.TASK_STATE_SUCCEEDED);
            next.setReason(failed ? "exit code " + task.run.exitCode() : "");
        } else if (next.getState() == TaskState.TASK_STATE_STARTING) {
            next.setState(TaskState.TASK_STATE_RUNNING);
        }
        task.report = next.build();
    }

    @Override
    public List<KnownTask> tasks() {
        return tasks.values().stream().map(Virtual::known).toList();
    }
}
