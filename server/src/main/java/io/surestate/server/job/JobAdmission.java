package io.surestate.server.job;

import io.surestate.api.GroupSize;
import io.surestate.api.Limits;
import io.surestate.api.Names;
import io.surestate.api.v1.CheckpointPolicy;
import io.surestate.api.v1.CheckpointSignal;
import io.surestate.api.v1.EnvVar;
import io.surestate.api.v1.ExitCodes;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.JobType;
import io.surestate.api.v1.LeaseEnd;
import io.surestate.api.v1.RetryPolicy;
import io.surestate.api.v1.TaskGroup;
import io.surestate.server.api.Problems;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Checks a submitted job and fills in its defaults, before anything is proposed. Pure: may change freely between releases, because the
 * log holds what came out of it. Refuses with a message that names the field, the value and what is expected.
 */
public final class JobAdmission {
    private static final long BACKOFF_MILLIS_DEFAULT = 1_000;
    private static final int EXIT_CODE_MAX = 255;
    private static final String RESERVED_ENV = "SURESTATE_";

    private JobAdmission() {}

    /** A job with only name, tenant, principal and a whole, checked spec. */
    public static Job admit(Job asked, String tenant, String principal) {
        Problems.require(Names.subdomainProblem("name", asked.getName()));
        return Job.newBuilder()
                .setName(asked.getName())
                .setTenant(tenant)
                .setPrincipal(principal)
                .setSpec(spec(asked.getSpec()))
                .build();
    }

    private static JobSpec spec(JobSpec asked) {
        known("type", asked.getType(), JobType.UNRECOGNIZED);
        known("onLeaseEnd", asked.getOnLeaseEnd(), LeaseEnd.UNRECOGNIZED);
        Problems.range("priority", asked.getPriority(), -Limits.PRIORITY_ABSOLUTE_MAX, Limits.PRIORITY_ABSOLUTE_MAX);
        TopologyAdmission.checkOfJob("topology", asked.getTopology());
        String scheduler = asked.getScheduler().isEmpty() ? Names.SCHEDULER_DEFAULT : asked.getScheduler();
        Problems.require(Names.subdomainProblem("scheduler", scheduler));
        JobSpec.Builder spec = asked.toBuilder()
                .setType(asked.getType() == JobType.JOB_TYPE_UNSPECIFIED ? JobType.JOB_TYPE_BATCH : asked.getType())
                .setScheduler(scheduler)
                .setRetry(retry(asked.getRetry()))
                .clearGroups()
                .addAllGroups(groups(asked.getGroupsList()));
        if (asked.hasCheckpoint()) {
            spec.setCheckpoint(checkpoint(asked.getCheckpoint()));
        }
        return spec.build();
    }

    private static RetryPolicy retry(RetryPolicy asked) {
        Problems.range("retry.maxAttempts", asked.getMaxAttempts(), 0, Limits.ATTEMPTS_MAX);
        Problems.duration("retry.backoff", asked.getBackoffMillis(), 0, Limits.BACKOFF_MILLIS_MAX);
        Problems.duration("retry.backoffMax", asked.getBackoffMaxMillis(), 0, Limits.BACKOFF_MILLIS_MAX);
        long first = asked.getBackoffMillis() == 0 ? BACKOFF_MILLIS_DEFAULT : asked.getBackoffMillis();
        long longest = asked.getBackoffMaxMillis() == 0 ? Limits.BACKOFF_MILLIS_MAX : asked.getBackoffMaxMillis();
        if (asked.getBackoffMillis() > longest) {
            throw Problems.invalid("retry.backoffMax: " + longest + " ms (expected: at least the backoff, "
                    + asked.getBackoffMillis() + " ms)");
        }
        RetryPolicy.Builder retry = RetryPolicy.newBuilder()
                .setMaxAttempts(Math.max(1, asked.getMaxAttempts()))
                .setBackoffMillis(Math.min(first, longest))
                .setBackoffMaxMillis(longest);
        return asked.hasExitCodes()
                ? retry.setExitCodes(exitCodes(asked.getExitCodes())).build()
                : retry.build();
    }

    private static ExitCodes exitCodes(ExitCodes asked) {
        Set<Integer> failJob = codes("retry.exitCodes.failJob", asked.getFailJobList());
        Set<Integer> ignore = codes("retry.exitCodes.ignore", asked.getIgnoreList());
        ignore.stream().filter(failJob::contains).findFirst().ifPresent(both -> {
            throw Problems.invalid(Names.message(
                    "retry.exitCodes.ignore", Integer.toString(both), "a code that is not in failJob too"));
        });
        return ExitCodes.newBuilder()
                .addAllFailJob(failJob)
                .addAllIgnore(ignore)
                .build();
    }

    /** Ascending. */
    private static Set<Integer> codes(String field, List<Integer> asked) {
        Problems.range(field + " entries", asked.size(), 0, EXIT_CODE_MAX);
        asked.forEach(code -> Problems.range(field, code, 1, EXIT_CODE_MAX));
        return new TreeSet<>(asked);
    }

    private static CheckpointPolicy checkpoint(CheckpointPolicy asked) {
        Problems.duration(
                "checkpoint.interval",
                asked.getIntervalMillis(),
                Limits.CHECKPOINT_INTERVAL_MILLIS_MIN,
                Limits.CHECKPOINT_INTERVAL_MILLIS_MAX);
        absolutePath("checkpoint.where", asked.getWhere());
        known("checkpoint.signal", asked.getSignal(), CheckpointSignal.UNRECOGNIZED);
        if (asked.getSignal() == CheckpointSignal.CHECKPOINT_SIGNAL_UNSPECIFIED) {
            if (asked.getGraceMillis() != 0) {
                throw Problems.invalid("checkpoint.grace: set (expected: with a checkpoint.signal alone)");
            }
            return asked;
        }
        if (asked.getGraceMillis() == 0) {
            return asked.toBuilder()
                    .setGraceMillis(Limits.CHECKPOINT_GRACE_MILLIS_DEFAULT)
                    .build();
        }
        Problems.duration(
                "checkpoint.grace",
                asked.getGraceMillis(),
                Limits.CHECKPOINT_GRACE_MILLIS_MIN,
                Limits.CHECKPOINT_GRACE_MILLIS_MAX);
        return asked;
    }

    private static List<TaskGroup> groups(List<TaskGroup> asked) {
        if (asked.isEmpty()) {
            throw Problems.invalid("groups: empty (expected: 1-" + Limits.GROUPS_PER_JOB_MAX + " groups)");
        }
        if (asked.size() > Limits.GROUPS_PER_JOB_MAX) {
            throw Problems.invalid("groups: " + asked.size() + " (expected: 1-" + Limits.GROUPS_PER_JOB_MAX + ")");
        }
        Set<String> names = new HashSet<>();
        long tasks = 0;
        for (TaskGroup group : asked) {
            Problems.require(Names.labelProblem("groups.name", group.getName()));
            if (!names.add(group.getName())) {
                throw Problems.invalid(Names.message("groups.name", group.getName(), "unique in the job"));
            }
            Problems.range("groups." + group.getName() + ".count", group.getCount(), 1, Limits.TASKS_PER_GROUP_MAX);
            tasks += group.getCount();
        }
        Problems.range("tasks of all groups", tasks, 1, Limits.TASKS_PER_JOB_MAX);
        return asked.stream().map(JobAdmission::group).toList();
    }

    private static TaskGroup group(TaskGroup asked) {
        String at = "groups." + asked.getName();
        command(at + ".command", asked.getCommandList());
        absolutePath(at + ".workingDir", asked.getWorkingDir());
        SurroundingsAdmission.check(at, asked);
        TopologyAdmission.check(at + ".topology", asked.getTopology(), asked.getCount());
        size(at, asked);
        return asked.toBuilder()
                .setResources(ResourceAdmission.admit(at + ".resources", asked.getResources()))
                .clearEnv()
                .addAllEnv(env(at + ".env", asked.getEnvList()))
                .build();
    }

    private static void size(String at, TaskGroup asked) {
        Problems.range(at + ".minCount", asked.getMinCount(), 0, asked.getCount());
        Problems.range(at + ".spares", asked.getSpares(), 0, Limits.SPARES_PER_GROUP_MAX);
        if (asked.getTargetCount() != 0) {
            Problems.range(at + ".targetCount", asked.getTargetCount(), GroupSize.min(asked), asked.getCount());
        }
        int slice = asked.getTopology().getSliceTasks();
        if (slice > 0 && (asked.getMinCount() % slice != 0 || asked.getTargetCount() % slice != 0)) {
            throw Problems.invalid(at + ".minCount: " + asked.getMinCount() + ", targetCount: " + asked.getTargetCount()
                    + " (expected: whole slices of " + slice + ")");
        }
        Problems.range(
                at + " spare places", GroupSize.spares(asked), 0, Limits.TASKS_PER_JOB_MAX - (long) asked.getCount());
    }

    private static void command(String field, List<String> command) {
        if (command.isEmpty() || command.get(0).isBlank()) {
            throw Problems.invalid(field + ": empty (expected: a program and its arguments)");
        }
        Problems.range(field + " arguments", command.size(), 1, Limits.COMMAND_ARGUMENTS_MAX);
        long chars = 0;
        for (String argument : command) {
            Problems.noNul(field, argument);
            chars += argument.length();
        }
        Problems.range(field + " characters", chars, 1, Limits.COMMAND_CHARS_MAX);
    }

    private static List<EnvVar> env(String field, List<EnvVar> env) {
        Problems.range(field + " entries", env.size(), 0, Limits.ENV_PER_GROUP_MAX);
        Set<String> names = new HashSet<>();
        long chars = 0;
        for (EnvVar variable : env) {
            Problems.require(Names.envNameProblem(field, variable.getName()));
            Problems.noNul(field + "." + variable.getName(), variable.getValue());
            if (variable.getName().startsWith(RESERVED_ENV)) {
                throw Problems.invalid(
                        Names.message(field, variable.getName(), "a name that does not begin with " + RESERVED_ENV));
            }
            if (!names.add(variable.getName())) {
                throw Problems.invalid(Names.message(field, variable.getName(), "given once"));
            }
            chars += variable.getName().length() + variable.getValue().length();
        }
        Problems.range(field + " characters", chars, 0, Limits.ENV_CHARS_MAX);
        return env.stream().sorted(Comparator.comparing(EnvVar::getName)).toList();
    }

    static void absolutePath(String field, String path) {
        Problems.noNul(field, path);
        Problems.length(field, path, Limits.REASON_CHARS_MAX);
        boolean climbs = List.of(path.split("/")).contains("..");
        if (!path.isEmpty() && (!path.startsWith("/") || climbs)) {
            throw Problems.invalid(Names.message(field, path, "an absolute path without .."));
        }
    }

    static <E extends Enum<E>> void known(String field, E value, E unrecognized) {
        if (value == unrecognized) {
            throw Problems.invalid(field + ": a value that this server does not know (expected: one it knows)");
        }
    }
}
