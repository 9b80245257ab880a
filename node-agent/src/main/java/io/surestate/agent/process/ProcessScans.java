package io.surestate.agent.process;

import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Looks at all processes of the machine, shared by whoever needs one and so seldom that looking takes no more than a tenth of one
 * core, however many processes there are and tasks end. Safe between threads.
 */
public final class ProcessScans {
    private static final int SHARE = 10;

    private final ProcessTable table;
    private final LongSupplier nanos;
    private Optional<Scan> newest = Optional.empty();
    private long nextNanos;

    /** @param nanos monotonic */
    public ProcessScans(ProcessTable table, LongSupplier nanos) {
        this.table = table;
        this.nanos = nanos;
    }

    /**
     * One look.
     *
     * @param beganNanos when it began; no two are equal
     */
    record Scan(long beganNanos, List<ProcessTable.Entry> processes) {}

    public ProcessTable table() {
        return table;
    }

    /** The present moment, to be compared with the beginning of a scan. */
    long nowNanos() {
        return nanos.getAsLong();
    }

    /** The newest scan if it began after {@code nanos}; if it did not, a fresh one once it is time for that. */
    synchronized Optional<Scan> after(long moment) {
        Optional<Scan> fresh = newest.filter(scan -> scan.beganNanos() - moment > 0);
        if (fresh.isPresent()) {
            return fresh;
        }
        long began = nanos.getAsLong();
        boolean tooSoon = newest.isPresent() && began - nextNanos < 0;
        if (tooSoon || began - moment <= 0) {
            return Optional.empty();
        }
        newest = Optional.of(new Scan(began, table.scan()));
        nextNanos = nanos.getAsLong() + SHARE * (nanos.getAsLong() - began);
        return newest;
    }
}
