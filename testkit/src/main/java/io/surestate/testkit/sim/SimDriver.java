package io.surestate.testkit.sim;

import io.surestate.agent.driver.KnownTask;
import io.surestate.agent.driver.TaskDriver;
import io.surestate.agent.fake.SimulatedDriver;
import io.surestate.api.v1.DesiredTask;
import java.util.List;
import java.util.TreeSet;

/** The tasks of one boot of a machine; tells of each start and each end in the moment in which it happens. One thread. */
final class SimDriver implements TaskDriver {
    private final SimulatedDriver tasks;
    private final Seen seen;
    private final TreeSet<String> running = new TreeSet<>();

    /** Who hears of it. */
    interface Seen {
        void started(DesiredTask task);

        void ended(String allocationId);
    }

    SimDriver(SimWorld world, Seen seen) {
        this.tasks = new SimulatedDriver(new SimTaskScript(world));
        this.seen = seen;
    }

    @Override
    public void start(DesiredTask task) {
        boolean known = tasks.tasks().stream()
                .anyMatch(other ->
                        other.allocationId().equals(task.getAllocation().getId()));
        tasks.start(task);
        if (!known) {
            running.add(task.getAllocation().getId());
            seen.started(task);
        }
    }

    @Override
    public void stop(String allocationId, long graceMillis) {
        tasks.stop(allocationId, graceMillis);
    }

    @Override
    public void fence(String allocationId) {
        tasks.fence(allocationId);
    }

    @Override
    public void forget(String allocationId) {
        tasks.forget(allocationId);
    }

    @Override
    public void poll(long nowMillis) {
        tasks.poll(nowMillis);
        if (running.isEmpty()) {
            return;
        }
        for (KnownTask task : tasks.tasks()) {
            if (task.ended() && running.remove(task.allocationId())) {
                seen.ended(task.allocationId());
            }
        }
    }

    @Override
    public List<KnownTask> tasks() {
        return tasks.tasks();
    }

    /** The machine is off. */
    void endAll() {
        running.forEach(seen::ended);
        running.clear();
    }
}
