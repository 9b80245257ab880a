package io.surestate.testkit.sim;

import io.surestate.api.v1.CheckpointPolicy;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.DeviceRequest;
import io.surestate.api.v1.EnvVar;
import io.surestate.api.v1.Job;
import io.surestate.api.v1.JobPhase;
import io.surestate.api.v1.JobSpec;
import io.surestate.api.v1.LeaseEnd;
import io.surestate.api.v1.Resources;
import io.surestate.api.v1.RetryPolicy;
import io.surestate.api.v1.TaskGroup;
import java.util.Random;

/** Jobs that fit into every simulated cluster and whose end is known beforehand. */
final class SimJobs {
    private static final int ATTEMPTS_MAX = 4;

    private SimJobs() {}

    /**
     * @param outlive whether tasks may outlive the lease of their node
     * @param outside whether outside schedulers are there
     */
    static Job random(int number, Random random, boolean outlive, boolean outside) {
        JobSpec.Builder spec = JobSpec.newBuilder()
                .setPriority(random.nextInt(3))
                .setRetry(RetryPolicy.newBuilder()
                        .setMaxAttempts(1 + random.nextInt(ATTEMPTS_MAX))
                        .setBackoffMillis(100 + random.nextInt(2_000)));
        int failing = random.nextInt(4) == 0 ? random.nextInt(3) : 0;
        if (outside && random.nextInt(5) < 2) {
            spec.setScheduler(SimScheduler.NAME);
        }
        boolean devices = random.nextInt(3) == 0;
        int groups = 1 + random.nextInt(2);
        for (int group = 0; group < groups; group++) {
            spec.addGroups(TaskGroup.newBuilder()
                    .setName("g" + group)
                    .setCount(1 + random.nextInt(group == 0 ? 3 : 1))
                    .setResources(resources(random, devices && group == 0))
                    .addCommand("run")
                    .addEnv(env(SimTaskScript.RUN_MILLIS, 500 + random.nextInt(20_000)))
                    .addEnv(env(SimTaskScript.FAILING_ATTEMPTS, failing)));
        }
        if (random.nextBoolean()) {
            spec.setCheckpoint(CheckpointPolicy.newBuilder().setIntervalMillis(200 + random.nextInt(2_000)));
        } else {
            spec.setOnLeaseEnd(!outlive || random.nextBoolean() ? LeaseEnd.LEASE_END_STOP : LeaseEnd.LEASE_END_KEEP);
        }
        spec.setMovable(number % 2 == 0);
        return Job.newBuilder().setName("job-" + number).setSpec(spec).build();
    }

    /** The same with a first group that grows and shrinks, or has spare places, or neither. */
    static Job elastic(Job job, Random random) {
        Job.Builder changed = job.toBuilder();
        TaskGroup.Builder group = changed.getSpecBuilder().getGroupsBuilder(0);
        if (random.nextInt(3) > 0) {
            group.setMinCount(group.getCount()).setCount(group.getCount() + 1 + random.nextInt(3));
        }
        if (random.nextInt(3) == 0) {
            group.setSpares(1);
        }
        return changed.build();
    }

    private static Resources.Builder resources(Random random, boolean device) {
        Resources.Builder resources = Resources.newBuilder()
                .setCpuMillicores(250L * (1 + random.nextInt(6)))
                .setMemoryBytes(1L << 30);
        return device
                ? resources.addDevices(DeviceRequest.newBuilder()
                        .setKind(DeviceKind.DEVICE_KIND_GPU)
                        .setCount(1))
                : resources;
    }

    private static EnvVar env(String name, int value) {
        return EnvVar.newBuilder()
                .setName(name)
                .setValue(Integer.toString(value))
                .build();
    }

    /** How a job that nobody cancels must end, however often its nodes are lost. */
    static JobPhase end(Job job) {
        int attempts = Math.max(1, job.getSpec().getRetry().getMaxAttempts());
        return failingAttempts(job) < attempts ? JobPhase.JOB_PHASE_SUCCEEDED : JobPhase.JOB_PHASE_FAILED;
    }

    /** Attempts that a node loss ended also count towards the failing ones, so that less may fail than the job's script says. */
    static boolean mayEnd(Job job, JobPhase phase) {
        return phase == end(job) || (failingAttempts(job) > 0 && phase == JobPhase.JOB_PHASE_SUCCEEDED);
    }

    private static int failingAttempts(Job job) {
        return job.getSpec().getGroups(0).getEnvList().stream()
                .filter(variable -> variable.getName().equals(SimTaskScript.FAILING_ATTEMPTS))
                .mapToInt(variable -> Integer.parseInt(variable.getValue()))
                .findFirst()
                .orElse(0);
    }
}
