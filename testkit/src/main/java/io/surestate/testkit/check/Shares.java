package io.surestate.testkit.check;

import io.surestate.api.v1.Allocation;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.DeviceShare;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Counts what several allocations take of each core and device of one node. */
final class Shares {
    private static final int WHOLE_MILLI = 1000;

    private Shares() {}

    /** The first thing of which more than all is taken. */
    static Optional<String> tooMuch(Stream<Allocation> allocations) {
        Map<String, Integer> used = new TreeMap<>();
        allocations.forEach(each -> {
            for (CoreShare core : each.getClaim().getCoresList()) {
                used.merge("core " + core.getCoreId(), core.getMilli(), Integer::sum);
            }
            for (DeviceShare device : each.getClaim().getDevicesList()) {
                used.merge("device " + device.getOrdinal(), device.getMilli(), Integer::sum);
            }
        });
        return used.entrySet().stream()
                .filter(share -> share.getValue() > WHOLE_MILLI)
                .findFirst()
                .map(share -> share.getValue() + " of " + share.getKey());
    }
}
