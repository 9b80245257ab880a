package io.surestate.testkit.sim;

import io.surestate.agent.fake.TaskScript;
import io.surestate.api.v1.DesiredTask;
import io.surestate.api.v1.EnvVar;

/** Tasks that run, fail and stop as their job's environment says. */
final class SimTaskScript implements TaskScript {
    static final String RUN_MILLIS = "RUN_MILLIS";
    /** Attempts up to this one fail. */
    static final String FAILING_ATTEMPTS = "FAILING_ATTEMPTS";

    private static final int STOP_MILLIS_MAX = 3_000;

    private final SimWorld world;

    SimTaskScript(SimWorld world) {
        this.world = world;
    }

    @Override
    public Run run(DesiredTask task) {
        boolean fails = task.getAllocation().getTask().getIndex() == 0
                && task.getAllocation().getTask().getAttempt() <= number(task, FAILING_ATTEMPTS);
        return new Run(number(task, RUN_MILLIS), fails ? 1 : 0, world.random().nextInt(STOP_MILLIS_MAX));
    }

    private static long number(DesiredTask task, String name) {
        return task.getGroup().getEnvList().stream()
                .filter(variable -> variable.getName().equals(name))
                .map(EnvVar::getValue)
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElse(0);
    }
}
