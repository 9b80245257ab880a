package io.surestate.cli.job;

import io.surestate.api.v1.EnvVar;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.JobType;
import io.surestate.api.v1.TaskGroup;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that describe a job of one group: on the command line, and in the lines of a batch script. */
final class JobOptions {
    @Option(names = "--name", paramLabel = "NAME", description = "Default: the command's name and five random letters.")
    private String name = "";

    @Option(names = "--count", paramLabel = "N", description = "Tasks: all of them run at one time. Default: 1.")
    private int count = 1;

    @Option(
            names = "--min-count",
            paramLabel = "N",
            description =
                    "Start with as few tasks as this; the others join while it runs. Default: the count, all or nothing.")
    private int minCount;

    @Option(
            names = "--spares",
            paramLabel = "N",
            description = "Places kept empty near the tasks, to which a task moves when its node is lost. Default: 0.")
    private int spares;

    @Mixin
    private final TaskNeeds needs = new TaskNeeds();

    @Option(
            names = {"-e", "--env"},
            paramLabel = "NAME=VALUE",
            mapFallbackValue = "",
            description = "Environment of the tasks; may be repeated.")
    private Map<String, String> env = new TreeMap<>();

    /** @param generated the job's name if none was given */
    Job job(List<String> command, Supplier<String> generated) {
        return Job.newBuilder()
                .setName(name.isEmpty() ? generated.get() : name)
                .setSpec(JobSpec.newBuilder().setType(JobType.JOB_TYPE_BATCH).addGroups(group(command)))
                .build();
    }

    private TaskGroup group(List<String> command) {
        TaskGroup.Builder group = TaskGroup.newBuilder()
                .setName("main")
                .setCount(count)
                .setMinCount(minCount)
                .setSpares(spares)
                .setResources(needs.resources())
                .setTopology(needs.topology())
                .addAllCommand(command);
        new TreeMap<>(env)
                .forEach((key, value) ->
                        group.addEnv(EnvVar.newBuilder().setName(key).setValue(value)));
        return group.build();
    }
}
