package io.surestate.statemachine.node;

import io.surestate.api.v1.ClusterMeta;
import io.surestate.api.v1.NodeStatus;

/** How long leases last, and when a node that is silent has none any more. All times are cluster time. */
public final class Leases {
    /** A stretched lease may run this part longer on a node whose clock is slow; the margin covers ordinary leases. */
    private static final long DRIFT_DIVISOR = 50;

    private Leases() {}

    /** Length of a lease that is renewed now: reaches to the end of a freeze and one lease further. */
    public static long grantMillis(ClusterMeta meta, long nowMillis) {
        return meta.getSettings().getLeaseMillis() + Math.max(0, meta.getFrozenUntilMillis() - nowMillis);
    }

    /** Latest end of the stretch that a freeze from now on gives to leases, on any node's clock. */
    public static long reachMillis(long nowMillis, long forMillis) {
        return nowMillis + forMillis + forMillis / DRIFT_DIVISOR;
    }

    /** When a suspected node's last lease is over for sure. */
    public static long lossDueMillis(ClusterMeta meta, NodeStatus suspected) {
        return Math.max(suspected.getSuspectedMillis(), meta.getLeasesReachMillis())
                + meta.getSettings().getLeaseMillis()
                + meta.getSettings().getLeaseMarginMillis();
    }
}
