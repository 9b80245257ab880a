package io.surestate.cli.job;

import io.surestate.api.v1.GetJobResponse;
import io.surestate.api.v1.OutputSource;
import io.surestate.api.v1.Task;
import java.util.List;

/**
 * Whose output is meant.
 *
 * @param job name or uid
 * @param group empty = all
 * @param index negative = all
 * @param attempt 0 = the newest
 * @param sources one or both
 */
record TaskChoice(String job, String group, int index, int attempt, List<OutputSource> sources) {
    TaskChoice {
        sources = List.copyOf(sources);
    }

    /** Everything that a job's newest attempt writes. */
    static TaskChoice all(String job) {
        return new TaskChoice(
                job, "", -1, 0, List.of(OutputSource.OUTPUT_SOURCE_STDOUT, OutputSource.OUTPUT_SOURCE_STDERR));
    }

    List<Task> of(GetJobResponse reply) {
        return reply.getTasksList().stream()
                .filter(task -> group.isEmpty() || group.equals(task.getGroup()))
                .filter(task -> index < 0 || index == task.getIndex())
                .toList();
    }
}
