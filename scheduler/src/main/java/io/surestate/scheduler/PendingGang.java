package io.surestate.scheduler;

import io.surestate.api.v1.JobSpec;

/** A job attempt that waits for its places. */
public record PendingGang(String jobUid, long generation, int attempt, JobSpec spec) {}
