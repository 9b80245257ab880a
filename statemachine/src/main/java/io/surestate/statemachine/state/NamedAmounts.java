package io.surestate.statemachine.state;

import io.surestate.api.v1.Claim;
import io.surestate.api.v1.Countable;
import io.surestate.api.v1.Link;
import io.surestate.api.v1.LinkShare;
import io.surestate.api.v1.Nic;
import io.surestate.api.v1.NicShare;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.Storage;
import io.surestate.api.v1.StorageShare;
import java.util.Map;
import java.util.Set;
import org.pcollections.TreePMap;

/**
 * Amounts by name: bit/s of {@code nic eth0} and {@code link 0-1}, bytes of {@code storage nvme0}, and countables under their own names, which
 * have no blanks. Immutable; absent = 0.
 *
 * @param byName no zero values
 */
public record NamedAmounts(TreePMap<String, Long> byName) {
    public static final NamedAmounts NONE = new NamedAmounts(TreePMap.empty());

    /** What a node has. */
    static NamedAmounts capacity(NodeSpec spec) {
        NamedAmounts all = NONE;
        for (Nic nic : spec.getNicsList()) {
            all = all.plus(nicName(nic.getName()), nic.getBitsPerSecond());
        }
        for (Link link : spec.getLinksList()) {
            all = all.plus(linkName(link.getFromOrdinal(), link.getToOrdinal()), link.getBitsPerSecond());
        }
        for (Storage storage : spec.getStorageList()) {
            all = all.plus(storageName(storage.getName()), storage.getCapacityBytes());
        }
        for (Countable countable : spec.getCountablesList()) {
            all = all.plus(countable.getName(), countable.getAmount());
        }
        return all;
    }

    /** What a claim takes. */
    public static NamedAmounts of(Claim claim) {
        NamedAmounts all = NONE;
        for (NicShare nic : claim.getNicsList()) {
            all = all.plus(nicName(nic.getNic()), nic.getBitsPerSecond());
        }
        for (LinkShare link : claim.getLinksList()) {
            all = all.plus(linkName(link.getFromOrdinal(), link.getToOrdinal()), link.getBitsPerSecond());
        }
        for (StorageShare storage : claim.getStorageList()) {
            all = all.plus(storageName(storage.getStorage()), storage.getBytes());
        }
        for (Countable countable : claim.getCountablesList()) {
            all = all.plus(countable.getName(), countable.getAmount());
        }
        return all;
    }

    public static String nicName(String nic) {
        return "nic " + nic;
    }

    public static String storageName(String storage) {
        return "storage " + storage;
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

    NamedAmounts plus(NamedAmounts other) {
        NamedAmounts sum = this;
        for (Map.Entry<String, Long> entry : other.byName.entrySet()) {
            sum = sum.plus(entry.getKey(), entry.getValue());
        }
        return sum;
    }

    NamedAmounts minus(NamedAmounts other) {
        NamedAmounts rest = this;
        for (Map.Entry<String, Long> entry : other.byName.entrySet()) {
            rest = rest.plus(entry.getKey(), -entry.getValue());
        }
        return rest;
    }

    /** What is left of these names when the held amounts are taken away, never below 0. */
    NamedAmounts leftAfter(NamedAmounts held) {
        if (byName.isEmpty() || held.byName.isEmpty()) {
            return this;
        }
        NamedAmounts left = NONE;
        for (Map.Entry<String, Long> entry : byName.entrySet()) {
            left = left.plus(entry.getKey(), Math.max(0, entry.getValue() - held.of(entry.getKey())));
        }
        return left;
    }

    boolean covers(NamedAmounts other) {
        return other.byName.entrySet().stream().allMatch(entry -> of(entry.getKey()) >= entry.getValue());
    }

    private NamedAmounts plus(String name, long more) {
        long sum = Math.addExact(of(name), more);
        Invariants.check(sum >= 0, "%s never below 0: %d", name, sum);
        return new NamedAmounts(sum == 0 ? byName.minus(name) : byName.plus(name, sum));
    }
}
