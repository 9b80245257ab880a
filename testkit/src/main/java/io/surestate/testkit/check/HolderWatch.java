package io.surestate.testkit.check;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.AllocationState;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.WatchEvent;
import io.surestate.api.v1.WatchFilter;
import io.surestate.api.v1.WatchRequest;
import io.surestate.client.ClusterClient;
import io.surestate.client.ResumingWatch;
import io.surestate.client.WatchBatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongPredicate;

/**
 * Follows who holds each device, revision by revision, from nothing but the watch, and notes each revision at which a device has more
 * holders than it can have, and each that comes out of order. One thread.
 */
public final class HolderWatch implements AutoCloseable {
    private static final int WHOLE_MILLI = 1_000;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final ResumingWatch watch;
    private final Map<String, Allocation> live = new TreeMap<>();
    private final List<String> problems = new ArrayList<>();
    private long revision;
    private long revisionsSeen;

    /** Begins with what there is. */
    public HolderWatch(ClusterClient client) {
        watch = new ResumingWatch(
                client,
                WatchRequest.newBuilder()
                        .setInitialList(true)
                        .setFilter(WatchFilter.newBuilder().setAllocations(true))
                        .build(),
                PATIENCE);
    }

    /** Follows until a revision is enough, or the watch is closed. */
    public void follow(LongPredicate enough) {
        while (!enough.test(revision)) {
            Optional<WatchBatch> batch = watch.next();
            if (batch.isEmpty()) {
                return;
            }
            take(batch.get());
        }
    }

    private void take(WatchBatch batch) {
        boolean list = batch.kind() != WatchBatch.Kind.CHANGES;
        if (batch.kind() == WatchBatch.Kind.LIST_BEGINS) {
            live.clear();
        }
        if (!list && !batch.events().isEmpty() && batch.revision() <= revision) {
            problems.add("revision " + batch.revision() + " after " + revision);
        }
        for (WatchEvent event : batch.events()) {
            if (event.hasAllocation()) {
                live.put(event.getAllocation().getId(), event.getAllocation());
            } else if (event.hasAllocationReleased()) {
                live.remove(event.getAllocationReleased().getId());
            }
        }
        revision = batch.revision();
        if (!batch.events().isEmpty()) {
            revisionsSeen++;
            check();
        }
    }

    private void check() {
        Map<String, Integer> given = new TreeMap<>();
        for (Allocation allocation : live.values()) {
            if (allocation.getState() == AllocationState.ALLOCATION_STATE_NOMINATED) {
                continue;
            }
            for (DeviceShare share : allocation.getClaim().getDevicesList()) {
                String device = allocation.getNode() + "/" + share.getOrdinal();
                if (given.merge(device, share.getMilli(), Integer::sum) > WHOLE_MILLI) {
                    problems.add("device " + device + " is given twice at revision " + revision);
                }
            }
        }
    }

    /** What was wrong; empty = nothing. */
    public List<String> problems() {
        return Collections.unmodifiableList(problems);
    }

    /** Revisions that changed an allocation: shows that the check looks at something. */
    public long revisionsSeen() {
        return revisionsSeen;
    }

    /** Live allocations as of the last revision. */
    public int live() {
        return live.size();
    }

    @Override
    public void close() {
        watch.close();
    }
}
