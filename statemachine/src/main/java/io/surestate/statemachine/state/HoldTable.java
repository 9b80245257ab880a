package io.surestate.statemachine.state;

import io.surestate.api.Limits;
import io.surestate.api.v1.Hold;
import io.surestate.api.v1.HoldState;
import java.util.Optional;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/** Holds that stand, and for a while those that ended. Immutable. */
record HoldTable(TreePMap<String, Hold> byId, TreePSet<Due> due, TreePMap<String, Integer> perTenant, int standing) {
    static final HoldTable EMPTY = new HoldTable(TreePMap.empty(), TreePSet.empty(), TreePMap.empty(), 0);

    /** When something is to be done about a hold: a standing one expires, an ended one is forgotten. */
    record Due(long millis, String id) implements Comparable<Due> {
        static Due of(Hold hold) {
            boolean stands = hold.getState() == HoldState.HOLD_STATE_STANDING;
            return new Due(
                    stands ? hold.getExpiresMillis() : hold.getEndedMillis() + Limits.HOLD_REMEMBERED_MILLIS,
                    hold.getId());
        }

        @Override
        public int compareTo(Due other) {
            int byTime = Long.compare(millis, other.millis);
            return byTime != 0 ? byTime : id.compareTo(other.id);
        }
    }

    private static int standingOne(Hold hold) {
        return hold.getState() == HoldState.HOLD_STATE_STANDING ? 1 : 0;
    }

    Optional<Hold> hold(String id) {
        return Optional.ofNullable(byId.get(id));
    }

    int countOf(String tenant) {
        return perTenant.getOrDefault(tenant, 0);
    }

    HoldTable with(Hold hold) {
        HoldTable rest = hold(hold.getId()).map(before -> without(hold.getId())).orElse(this);
        return new HoldTable(
                rest.byId.plus(hold.getId(), hold),
                rest.due.plus(Due.of(hold)),
                rest.perTenant.plus(hold.getTenant(), rest.countOf(hold.getTenant()) + 1),
                rest.standing + standingOne(hold));
    }

    HoldTable without(String id) {
        Hold gone = hold(id).orElseThrow();
        int left = countOf(gone.getTenant()) - 1;
        return new HoldTable(
                byId.minus(id),
                due.minus(Due.of(gone)),
                left == 0 ? perTenant.minus(gone.getTenant()) : perTenant.plus(gone.getTenant(), left),
                standing - standingOne(gone));
    }
}
