package io.surestate.agent.fake;

import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.EnvVar;

/** How virtual tasks behave. */
public interface TaskScript {
    /**
     * One task's life.
     *
     * @param millis from start to its own end
     * @param exitCode then
     * @param stopMillis from a stop signal to its end, unless the grace is shorter
     */
    record Run(long millis, int exitCode, long stopMillis) {}

    Run run(DesiredTask task);

    /** As the job's environment says: {@code FAKE_RUN_MILLIS} (default 30,000) and {@code FAKE_EXIT_CODE} (default 0). */
    static TaskScript fromEnvironment() {
        return task -> new Run(number(task, "FAKE_RUN_MILLIS", 30_000), (int) number(task, "FAKE_EXIT_CODE", 0), 0);
    }

    private static long number(DesiredTask task, String name, long otherwise) {
        String text = task.getGroup().getEnvList().stream()
                .filter(variable -> variable.getName().equals(name))
                .map(EnvVar::getValue)
                .findFirst()
                .orElse("");
        try {
            return Math.max(0, Long.parseLong(text));
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }
}
