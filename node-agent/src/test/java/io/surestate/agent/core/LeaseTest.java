package io.surestate.agent.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class LeaseTest {
    private static final long LEASE = 20_000;

    /** Whatever is acknowledged in whatever order: never longer than the newest acknowledged heartbeat allows, never shorter than before. */
    @Property(tries = 300)
    void neverReachesBeyondTheNewestAcknowledgedHeartbeat(
            @ForAll @Size(max = 40) List<@IntRange(min = 1, max = 60) Integer> acknowledged,
            @ForAll @IntRange(min = 0, max = 60) int sentCount) {
        Lease lease = new Lease(0);
        List<Long> sentMillis = new ArrayList<>();
        for (int i = 0; i < sentCount; i++) {
            sentMillis.add(1_000L * (i + 1));
            lease.sent(1_000L * (i + 1));
        }
        long bound = 0;
        long before = 0;
        for (int sequence : acknowledged) {
            lease.acknowledged(sequence, LEASE);
            if (sequence <= sentCount) {
                bound = Math.max(bound, sentMillis.get(sequence - 1) + LEASE);
            }
            assertThat(lease.deadlineMillis()).isEqualTo(bound).isGreaterThanOrEqualTo(before);
            assertThat(lease.valid(bound)).isFalse();
            before = lease.deadlineMillis();
        }
    }
}
