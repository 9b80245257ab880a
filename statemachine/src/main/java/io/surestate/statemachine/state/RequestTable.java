package io.surestate.statemachine.state;

import io.surestate.log.v1.RequestKey;
import io.surestate.log.v1.RequestOutcome;
import java.util.Comparator;
import java.util.Optional;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/** Outcomes of client requests, by key and by expiry. Immutable. */
record RequestTable(
        TreePMap<RequestKey, RequestOutcome> byKey, TreePSet<Expiry> expiries, TreePMap<Owner, Count> perOwner) {
    private static final Comparator<RequestKey> KEY_ORDER = Comparator.comparing(RequestKey::getRequestId)
            .thenComparing(RequestKey::getPrincipal)
            .thenComparing(RequestKey::getTenant);

    static final RequestTable EMPTY = new RequestTable(TreePMap.empty(KEY_ORDER), TreePSet.empty(), TreePMap.empty());

    /** When an outcome may be forgotten. */
    record Expiry(long millis, RequestKey key) implements Comparable<Expiry> {
        @Override
        public int compareTo(Expiry other) {
            int byTime = Long.compare(millis, other.millis);
            return byTime != 0 ? byTime : KEY_ORDER.compare(key, other.key);
        }
    }

    /** Whose requests are counted together. */
    record Owner(String tenant, String principal) implements Comparable<Owner> {
        static Owner of(RequestKey key) {
            return new Owner(key.getTenant(), key.getPrincipal());
        }

        @Override
        public int compareTo(Owner other) {
            int byTenant = tenant.compareTo(other.tenant);
            return byTenant != 0 ? byTenant : principal.compareTo(other.principal);
        }
    }

    /** How much is kept for one owner: outcomes, and ids that are used without one. */
    record Count(int outcomes, int usedIds) {
        static final Count NONE = new Count(0, 0);

        Count plus(RequestOutcome outcome, int more) {
            return outcome.hasOutcome() ? new Count(outcomes + more, usedIds) : new Count(outcomes, usedIds + more);
        }
    }

    Optional<RequestOutcome> outcome(RequestKey key) {
        return Optional.ofNullable(byKey.get(key));
    }

    Count countOf(RequestKey key) {
        return perOwner.getOrDefault(Owner.of(key), Count.NONE);
    }

    RequestTable with(RequestOutcome outcome) {
        RequestKey key = outcome.getKey();
        RequestTable rest = outcome(key).map(before -> without(key)).orElse(this);
        return new RequestTable(
                rest.byKey.plus(key, outcome),
                rest.expiries.plus(new Expiry(outcome.getExpiresMillis(), key)),
                rest.perOwner.plus(Owner.of(key), rest.countOf(key).plus(outcome, 1)));
    }

    RequestTable without(RequestKey key) {
        RequestOutcome gone = outcome(key).orElseThrow();
        Count left = countOf(key).plus(gone, -1);
        return new RequestTable(
                byKey.minus(key),
                expiries.minus(new Expiry(gone.getExpiresMillis(), key)),
                left.equals(Count.NONE) ? perOwner.minus(Owner.of(key)) : perOwner.plus(Owner.of(key), left));
    }
}
