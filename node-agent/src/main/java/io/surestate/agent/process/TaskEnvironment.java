package io.surestate.agent.process;

import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.TaskRef;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** What a task finds in its environment: nothing of the agent's own but a path, a home and a language. */
final class TaskEnvironment {
    private static final String PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

    private TaskEnvironment() {}

    /**
     * @param home empty = whoever starts it says
     * @param token marks its processes
     * @param checkpoints where it publishes, if it does
     * @param devices that it may see
     * @param usual what programs expect to find; the user's own counts more
     */
    static Map<String, String> of(
            DesiredTask task,
            String token,
            String home,
            Optional<CheckpointFolder> checkpoints,
            GrantedDevices devices,
            Map<String, String> usual) {
        TaskRef ref = task.getAllocation().getTask();
        Map<String, String> env = new LinkedHashMap<>();
        env.put("PATH", PATH);
        if (!home.isEmpty()) {
            env.put("HOME", home);
        }
        env.put("LANG", "C.UTF-8");
        env.putAll(usual);
        task.getGroup().getEnvList().forEach(variable -> env.put(variable.getName(), variable.getValue()));
        env.put("SURESTATE_JOB", task.getJobName());
        env.put("SURESTATE_TENANT", task.getTenant());
        env.put("SURESTATE_JOB_UID", ref.getJobUid());
        env.put("SURESTATE_GROUP", ref.getGroup());
        env.put("SURESTATE_INDEX", Integer.toString(ref.getIndex()));
        env.put("SURESTATE_ATTEMPT", Integer.toString(ref.getAttempt()));
        // Fences what the task writes elsewhere: a later attempt has a greater one.
        env.put("SURESTATE_EPOCH", Long.toString(task.getAllocation().getEpoch()));
        env.put("SURESTATE_COUNT", Integer.toString(task.getGroup().getCount()));
        env.put("SURESTATE_CHECKPOINT", "");
        checkpoints.ifPresent(folder -> {
            if (task.getResumeStep() > 0) {
                env.put(
                        "SURESTATE_CHECKPOINT",
                        folder.path()
                                .resolve(Long.toString(task.getResumeStep()))
                                .toString());
            }
            env.put("SURESTATE_CHECKPOINT_DIR", folder.path().toString());
            env.put(
                    "SURESTATE_CHECKPOINT_INTERVAL_MILLIS",
                    Long.toString(task.getCheckpoint().getIntervalMillis()));
        });
        env.putAll(devices.environment());
        env.put(ProcessTable.TOKEN, token);
        return env;
    }

    /** The task that a process with this environment belongs to. */
    static TaskRef task(Map<String, String> environment) {
        return TaskRef.newBuilder()
                .setJobUid(environment.getOrDefault("SURESTATE_JOB_UID", ""))
                .setGroup(environment.getOrDefault("SURESTATE_GROUP", ""))
                .setIndex(number(environment.getOrDefault("SURESTATE_INDEX", "")))
                .setAttempt(number(environment.getOrDefault("SURESTATE_ATTEMPT", "")))
                .build();
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
