package io.surestate.statemachine.state;

import io.surestate.api.v1.Job;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskState;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.pcollections.PVector;
import org.pcollections.TreePVector;

/** A live job with the tasks of its current attempt. Immutable. */
public final class JobEntry {
    private final Job job;
    private final TaskLayout layout;
    private final PVector<Task> tasks;
    private final TaskTally tally;

    private JobEntry(Job job, TaskLayout layout, PVector<Task> tasks, TaskTally tally) {
        this.job = job;
        this.layout = layout;
        this.tasks = tasks;
        this.tally = tally;
    }

    /** A job whose tasks are still to be put, each one. */
    static JobEntry of(Job job) {
        TaskLayout layout = new TaskLayout(job.getSpec());
        return of(job, layout, Collections.nCopies(layout.size(), Task.getDefaultInstance()));
    }

    /** A job with tasks in any order; places without one are filled with an empty task. */
    static JobEntry loaded(Job job, List<Task> tasks) {
        TaskLayout layout = new TaskLayout(job.getSpec());
        Task[] placed = new Task[layout.size()];
        Arrays.fill(placed, Task.getDefaultInstance());
        for (Task task : tasks) {
            placed[positionOf(layout, task)] = task;
        }
        return of(job, layout, List.of(placed));
    }

    private static JobEntry of(Job job, TaskLayout layout, List<Task> tasks) {
        return new JobEntry(job, layout, TreePVector.from(tasks), TaskTally.of(tasks));
    }

    public Job job() {
        return job;
    }

    /** Groups in the order of the spec, then by index. */
    public List<Task> tasks() {
        return tasks;
    }

    public Optional<Task> task(String group, int index) {
        OptionalInt at = layout.position(group, index);
        return at.isPresent() ? Optional.of(tasks.get(at.getAsInt())) : Optional.empty();
    }

    /** Where a task stands in {@link #tasks()}. */
    public OptionalInt position(String group, int index) {
        return layout.position(group, index);
    }

    public int count(TaskState state) {
        return tally.count(state);
    }

    /** Tasks that are over. */
    public int finalTasks() {
        return count(TaskState.TASK_STATE_SUCCEEDED)
                + count(TaskState.TASK_STATE_FAILED)
                + count(TaskState.TASK_STATE_LOST)
                + count(TaskState.TASK_STATE_PREEMPTED)
                + count(TaskState.TASK_STATE_CANCELLED);
    }

    public boolean allFinal() {
        return finalTasks() == tasks.size();
    }

    /** Whether every task of this attempt has run at some time. */
    public boolean allStarted() {
        return tally.started() == tasks.size();
    }

    /** The highest checkpoint step that every member of this attempt reported; 0 = none. */
    public long commonStep() {
        return tally.lowestStep();
    }

    JobEntry with(Job changed) {
        return new JobEntry(changed, layout, tasks, tally);
    }

    JobEntry with(Task task) {
        int at = positionOf(layout, task);
        return new JobEntry(job, layout, tasks.with(at, task), tally.replacing(tasks.get(at), task));
    }

    private static int positionOf(TaskLayout layout, Task task) {
        OptionalInt at = layout.position(task.getGroup(), task.getIndex());
        Invariants.check(
                at.isPresent(), "job %s has no task %s/%d", task.getJobUid(), task.getGroup(), task.getIndex());
        return at.getAsInt();
    }
}
