package io.surestate.cli.job;

import io.surestate.api.v1.GetJobRequest;
import io.surestate.api.v1.GetJobResponse;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobsGrpc;
import io.surestate.api.v1.OutputSource;
import io.surestate.api.v1.Task;
import io.surestate.cli.CliContext;
import io.surestate.cli.CliException;
import io.surestate.cli.OutputClosedException;
import io.surestate.cli.connect.Session;
import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Shows what tasks wrote, and goes on showing it while they run. One thread; following uses one more for each output. */
final class OutputFollower {
    private static final int FOLLOWED_MAX = 64;
    private static final Duration LOOK = Duration.ofMillis(300);

    private final CliContext context;
    private final Session session;

    OutputFollower(CliContext context, Session session) {
        this.context = context;
        this.session = session;
    }

    /** What is there now, one task after the other. */
    void show(TaskChoice choice) {
        GetJobResponse reply = job(choice);
        List<Task> tasks = chosen(choice, reply).stream()
                .filter(task -> choice.attempt() != 0
                        || choice.index() >= 0
                        || !task.getNode().isEmpty())
                .toList();
        for (TaskOutput output : outputs(choice, tasks, false)) {
            output.copy();
        }
        context.out().flush();
    }

    /** Until the job, or the one attempt that was asked for, has ended. */
    void follow(TaskChoice choice) {
        Set<String> shown = new HashSet<>();
        while (!Thread.currentThread().isInterrupted()) {
            GetJobResponse reply = job(choice);
            boolean over = JobPhases.isFinished(reply.getJob());
            boolean past = choice.attempt() != 0
                    && choice.attempt() < reply.getJob().getStatus().getAttempt();
            List<Task> fresh = chosen(choice, reply).stream()
                    .filter(task -> choice.attempt() != 0 || !task.getNode().isEmpty())
                    .filter(task -> !shown.contains(label(choice, task)))
                    .toList();
            if (!fresh.isEmpty() && (over || past || begun(reply))) {
                followAttempts(choice, fresh);
                fresh.forEach(task -> shown.add(label(choice, task)));
            } else if (over || (choice.attempt() != 0 && !shown.isEmpty())) {
                return;
            }
            context.pause().sleep(LOOK);
        }
    }

    private static String label(TaskChoice choice, Task task) {
        return task.getGroup() + "/" + task.getIndex() + "#" + attempt(choice, task);
    }

    private static int attempt(TaskChoice choice, Task task) {
        return choice.attempt() == 0 ? task.getAttempt() : choice.attempt();
    }

    /** Before it runs, a task has no output to be read. In a gang that runs, one that has not joined is not waited for. */
    private static boolean begun(GetJobResponse reply) {
        boolean running = reply.getJob().getStatus().getPhase() == JobPhase.JOB_PHASE_RUNNING;
        return reply.getTasksList().stream().allMatch(task -> switch (task.getState()) {
            case TASK_STATE_PENDING -> running;
            case TASK_STATE_ALLOCATED, TASK_STATE_STARTING -> false;
            default -> true;
        });
    }

    private void followAttempts(TaskChoice choice, List<Task> tasks) {
        List<CompletableFuture<Void>> copies = new ArrayList<>();
        // A task that writes nothing would never notice that nobody reads.
        CompletableFuture<Void> closed = new CompletableFuture<>();
        for (TaskOutput output : outputs(choice, tasks, true)) {
            copies.add(CompletableFuture.runAsync(
                    () -> copy(output, closed),
                    work -> context.threads().newThread(work).start()));
        }
        CompletableFuture<Void> all = CompletableFuture.allOf(copies.toArray(CompletableFuture[]::new));
        try {
            CompletableFuture.anyOf(all, closed).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        } finally {
            context.out().flush();
        }
    }

    private static void copy(TaskOutput output, CompletableFuture<Void> closed) {
        try {
            output.copy();
        } catch (OutputClosedException e) {
            closed.completeExceptionally(e);
            throw e;
        }
    }

    private List<TaskOutput> outputs(TaskChoice choice, List<Task> tasks, boolean follow) {
        List<TaskOutput> outputs = new ArrayList<>();
        for (Task task : tasks) {
            for (OutputSource source : choice.sources()) {
                boolean own = choice.sources().size() > 1 && source == OutputSource.OUTPUT_SOURCE_STDERR;
                PrintStream to = own ? context.err() : context.out();
                String prefix = tasks.size() > 1 ? "[" + task.getGroup() + "/" + task.getIndex() + "] " : "";
                outputs.add(new TaskOutput(
                        context,
                        session,
                        new TaskOutput.Wanted(choice.job(), task, attempt(choice, task), source, follow),
                        new LineSink(to, prefix)));
            }
        }
        return outputs;
    }

    private static List<Task> chosen(TaskChoice choice, GetJobResponse reply) {
        List<Task> tasks = choice.of(reply);
        if (tasks.isEmpty()) {
            throw CliException.refused(
                    "NOT_FOUND: no such task of " + reply.getJob().getName() + " (expected: " + groups(reply) + ")");
        }
        if (tasks.size() > FOLLOWED_MAX) {
            throw CliException.usage(tasks.size() + " tasks (expected: at most " + FOLLOWED_MAX
                    + "; choose by JOB/GROUP/INDEX, --group or --index)");
        }
        return tasks;
    }

    private static String groups(GetJobResponse reply) {
        List<String> groups = reply.getJob().getSpec().getGroupsList().stream()
                .map(group -> group.getName() + "/0-" + (group.getCount() - 1))
                .toList();
        return String.join(", ", groups);
    }

    private GetJobResponse job(TaskChoice choice) {
        GetJobRequest request = GetJobRequest.newBuilder()
                .setTenant(session.tenant())
                .setJob(choice.job())
                .build();
        return session.call(JobsGrpc.getGetJobMethod(), request);
    }
}
