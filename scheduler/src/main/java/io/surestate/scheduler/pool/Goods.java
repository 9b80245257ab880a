package io.surestate.scheduler.pool;

import io.surestate.api.Names;
import io.surestate.api.v1.Countable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** NICs, storage and countables of a row, and what is free of each. Mutable; one thread. */
final class Goods {
    private final List<Good> described;
    private final long[] free;

    /** In any order; each name once per kind. */
    Goods(List<Good> goods) {
        described = goods.stream()
                .sorted(Comparator.comparing(Good::kind).thenComparing(Good::name))
                .toList();
        free = described.stream().mapToLong(Good::free).toArray();
    }

    Good at(int position) {
        return described.get(position);
    }

    /** The position of a good that the node has. */
    int position(Good.Kind kind, String name) {
        for (int at = 0; at < free.length; at++) {
            if (described.get(at).kind() == kind && described.get(at).name().equals(name)) {
                return at;
            }
        }
        throw new IllegalArgumentException(Names.message(kind.name(), name, "one that the node has"));
    }

    boolean fits(OtherAsk ask) {
        return ask.takesNothing()
                || (ask.networkBits() <= sum(Good.Kind.NIC)
                        && (ask.storageBytes() == 0 || tightest(Good.Kind.STORAGE, ask.storageBytes()) >= 0)
                        && ask.countables().stream().allMatch(this::has));
    }

    /** How often the ask can be met, at most. */
    long times(OtherAsk ask) {
        long times = Long.MAX_VALUE;
        if (ask.networkBits() > 0) {
            times = sum(Good.Kind.NIC) / ask.networkBits();
        }
        if (ask.storageBytes() > 0) {
            times = Math.min(times, pieces(ask.storageBytes()));
        }
        for (Countable countable : ask.countables()) {
            times = Math.min(times, freeOf(countable.getName()) / countable.getAmount());
        }
        return times;
    }

    /** In words, such as {@code 40 bit/s of network}; empty = there is enough for so many tasks. */
    List<String> missing(OtherAsk ask, long tasks) {
        List<String> missing = new ArrayList<>();
        if (ask.networkBits() > 0 && sum(Good.Kind.NIC) / ask.networkBits() < tasks) {
            missing.add(tasks * ask.networkBits() - sum(Good.Kind.NIC) + " bit/s of network");
        }
        if (ask.storageBytes() > 0 && pieces(ask.storageBytes()) < tasks) {
            missing.add(ask.storageBytes() + " bytes of one storage");
        }
        for (Countable countable : ask.countables()) {
            if (freeOf(countable.getName()) / countable.getAmount() < tasks) {
                missing.add(tasks * countable.getAmount() - freeOf(countable.getName()) + " " + countable.getName());
            }
        }
        return missing;
    }

    private long pieces(long storageBytes) {
        long pieces = 0;
        for (int at = 0; at < free.length; at++) {
            pieces += described.get(at).kind() == Good.Kind.STORAGE ? free[at] / storageBytes : 0;
        }
        return pieces;
    }

    private boolean has(Countable asked) {
        return freeOf(asked.getName()) >= asked.getAmount();
    }

    private long freeOf(String countable) {
        for (int at = 0; at < free.length; at++) {
            if (described.get(at).kind() == Good.Kind.COUNTABLE
                    && described.get(at).name().equals(countable)) {
                return free[at];
            }
        }
        return 0;
    }

    private long sum(Good.Kind kind) {
        long sum = 0;
        for (int at = 0; at < free.length; at++) {
            sum += described.get(at).kind() == kind ? free[at] : 0;
        }
        return sum;
    }

    /** The good of that kind with the least free that suffices, or -1. */
    private int tightest(Good.Kind kind, long amount) {
        int best = -1;
        for (int at = 0; at < free.length; at++) {
            boolean enough = described.get(at).kind() == kind && free[at] >= amount;
            if (enough && (best < 0 || free[at] < free[best])) {
                best = at;
            }
        }
        return best;
    }

    /** The shares that the ask gets; only when it {@link #fits}. Changes nothing. */
    List<GoodShare> choose(OtherAsk ask) {
        if (ask.takesNothing()) {
            return List.of();
        }
        List<GoodShare> shares = new ArrayList<>();
        if (ask.networkBits() > 0) {
            network(ask.networkBits(), shares);
        }
        if (ask.storageBytes() > 0) {
            shares.add(new GoodShare(tightest(Good.Kind.STORAGE, ask.storageBytes()), ask.storageBytes()));
        }
        for (Countable countable : ask.countables()) {
            shares.add(new GoodShare(position(Good.Kind.COUNTABLE, countable.getName()), countable.getAmount()));
        }
        return List.copyOf(shares);
    }

    private void network(long bits, List<GoodShare> shares) {
        int one = tightest(Good.Kind.NIC, bits);
        if (one >= 0) {
            shares.add(new GoodShare(one, bits));
            return;
        }
        long left = bits;
        for (int at = 0; at < free.length && left > 0; at++) {
            if (described.get(at).kind() == Good.Kind.NIC && free[at] > 0) {
                shares.add(new GoodShare(at, Math.min(left, free[at])));
                left -= Math.min(left, free[at]);
            }
        }
    }

    /** Takes (-1) or gives back (1); refuses to leave 0 to capacity, changing nothing. */
    void change(List<GoodShare> shares, int sign) {
        for (GoodShare share : shares) {
            long next = free[share.at()] + sign * share.amount();
            if (next < 0 || next > described.get(share.at()).capacity()) {
                throw new IllegalArgumentException(Names.message(
                        described.get(share.at()).name(),
                        Long.toString(share.amount()),
                        "free stays in 0-" + described.get(share.at()).capacity()));
            }
        }
        for (GoodShare share : shares) {
            free[share.at()] += sign * share.amount();
        }
    }

    boolean sameState(Goods that) {
        return Arrays.equals(free, that.free) && sameNames(that);
    }

    private boolean sameNames(Goods that) {
        for (int at = 0; at < free.length; at++) {
            Good one = described.get(at);
            Good other = that.described.get(at);
            if (one.kind() != other.kind() || !one.name().equals(other.name())) {
                return false;
            }
        }
        return true;
    }
}
