package io.surestate.statemachine.state;

import io.surestate.api.v1.Claim;
import io.surestate.api.v1.Link;
import io.surestate.api.v1.LinkShare;
import io.surestate.api.v1.Nic;
import io.surestate.api.v1.NicShare;
import io.surestate.api.v1.NodeSpec;
import java.util.Map;
import java.util.Set;
import org.pcollections.TreePMap;

/**
 * Bits per second by the name of a NIC or device link: {@code nic eth0}, {@code link 0-1}. Immutable; absent = 0.
 *
 * @param byName no zero values
 */
public record Bandwidths(TreePMap<String, Long> byName) {
    public static final Bandwidths NONE = new Bandwidths(TreePMap.empty());

    /** What a node has. */
    static Bandwidths capacity(NodeSpec spec) {
        Bandwidths all = NONE;
        for (Nic nic : spec.getNicsList()) {
            all = all.plus(nicName(nic.getName()), nic.getBitsPerSecond());
        }
        for (Link link : spec.getLinksList()) {
            all = all.plus(linkName(link.getFromOrdinal(), link.getToOrdinal()), link.getBitsPerSecond());
        }
        return all;
    }

    /** What a claim takes. */
    static Bandwidths of(Claim claim) {
        if (claim.getNicsCount() == 0 && claim.getLinksCount() == 0) {
            return NONE;
        }
        Bandwidths all = NONE;
        for (NicShare nic : claim.getNicsList()) {
            all = all.plus(nicName(nic.getNic()), nic.getBitsPerSecond());
        }
        for (LinkShare link : claim.getLinksList()) {
            all = all.plus(linkName(link.getFromOrdinal(), link.getToOrdinal()), link.getBitsPerSecond());
        }
        return all;
    }

    public static String nicName(String nic) {
        return "nic " + nic;
    }

    /** The same link whichever end is named first. */
    public static String linkName(int one, int other) {
        return "link " + Math.min(one, other) + "-" + Math.max(one, other);
    }

    public long of(String name) {
        return byName.getOrDefault(name, 0L);
    }

    public Set<String> names() {
        return byName.keySet();
    }

    Bandwidths plus(Bandwidths other) {
        Bandwidths sum = this;
        for (Map.Entry<String, Long> entry : other.byName.entrySet()) {
            sum = sum.plus(entry.getKey(), entry.getValue());
        }
        return sum;
    }

    Bandwidths minus(Bandwidths other) {
        Bandwidths rest = this;
        for (Map.Entry<String, Long> entry : other.byName.entrySet()) {
            rest = rest.plus(entry.getKey(), -entry.getValue());
        }
        return rest;
    }

    /** What is left of these names when the held amounts are taken away, never below 0. */
    Bandwidths leftAfter(Bandwidths held) {
        if (byName.isEmpty() || held.byName.isEmpty()) {
            return this;
        }
        Bandwidths left = NONE;
        for (Map.Entry<String, Long> entry : byName.entrySet()) {
            left = left.plus(entry.getKey(), Math.max(0, entry.getValue() - held.of(entry.getKey())));
        }
        return left;
    }

    boolean covers(Bandwidths other) {
        return other.byName.entrySet().stream().allMatch(entry -> of(entry.getKey()) >= entry.getValue());
    }

    private Bandwidths plus(String name, long more) {
        long sum = Math.addExact(of(name), more);
        Invariants.check(sum >= 0, "bandwidth of %s never below 0: %d", name, sum);
        return new Bandwidths(sum == 0 ? byName.minus(name) : byName.plus(name, sum));
    }
}
