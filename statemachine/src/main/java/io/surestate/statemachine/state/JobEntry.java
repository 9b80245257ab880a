package io.surestate.statemachine.state;

import io.surestate.api.GroupSize;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.Task;
import io.surestate.api.v1.TaskGroup;
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
    private final int wanted;

    private JobEntry(Job job, TaskLayout layout, PVector<Task> tasks, TaskTally tally) {
        this.job = job;
        this.layout = layout;
        this.tasks = tasks;
        this.tally = tally;
        this.wanted = job.getSpec().getGroupsList().stream()
                .mapToInt(GroupSize::target)
                .sum();
    }

    private JobEntry(JobEntry before, PVector<Task> tasks, TaskTally tally) {
        this.job = before.job;
        this.layout = before.layout;
        this.tasks = tasks;
        this.tally = tally;
        this.wanted = before.wanted;
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

    /** Tasks that have no place: all of them while the job waits, those that have not joined while it runs. */
    public int openTasks() {
        return count(TaskState.TASK_STATE_PENDING);
    }

    /** Whether some tasks are over and no other has a place. */
    public boolean allFinal() {
        return finalTasks() > 0 && finalTasks() + openTasks() == tasks.size();
    }

    /** Whether every task that has a place has run at some time. */
    public boolean allStarted() {
        return tally.started() > 0 && tally.started() + openTasks() == tasks.size();
    }

    /** Whether the gang runs with fewer tasks than are wanted, and none of them is over yet. */
    public boolean wantsMore() {
        return job.getStatus().getPhase() == JobPhase.JOB_PHASE_RUNNING
                && finalTasks() == 0
                && tasks.size() - openTasks() < wanted;
    }

    public Optional<TaskGroup> group(String name) {
        return job.getSpec().getGroupsList().stream()
                .filter(group -> group.getName().equals(name))
                .findFirst();
    }

    /** The highest checkpoint step that every task with a place reported, but for those that are leaving; 0 = none. */
    public long commonStep() {
        return tally.lowestStep();
    }

    JobEntry with(Job changed) {
        return new JobEntry(changed, layout, tasks, tally);
    }

    JobEntry with(Task task) {
        int at = positionOf(layout, task);
        return new JobEntry(this, tasks.with(at, task), tally.replacing(tasks.get(at), task));
    }

    private static int positionOf(TaskLayout layout, Task task) {
        OptionalInt at = layout.position(task.getGroup(), task.getIndex());
        Invariants.check(
                at.isPresent(), "job %s has no task %s/%d", task.getJobUid(), task.getGroup(), task.getIndex());
        return at.getAsInt();
    }
}
