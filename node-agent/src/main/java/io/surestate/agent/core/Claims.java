package io.surestate.agent.core;

import io.surestate.api.v1.Claim;
import java.util.HashSet;
import java.util.Set;

/** What claims have in common. */
final class Claims {
    private Claims() {}

    /**
     * Whether two claims name one core or one device. A claim that names none may come from a lost journal: nobody knows what its task uses,
     * so it overlaps with everything.
     */
    static boolean overlap(Claim one, Claim other) {
        if (one.equals(Claim.getDefaultInstance())) {
            return true;
        }
        Set<String> used = things(one);
        return things(other).stream().anyMatch(used::contains);
    }

    private static Set<String> things(Claim claim) {
        Set<String> things = new HashSet<>();
        claim.getCoresList().forEach(core -> things.add("core " + core.getCoreId()));
        claim.getDevicesList().forEach(device -> things.add("device " + device.getOrdinal()));
        return things;
    }
}
