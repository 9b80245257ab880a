package io.surestate.sim.nodes;

import java.util.List;

/** What comes out of a replay on nodes, as it goes on. Used by one thread; times in seconds. */
final class GangMeasures {
    private static final String NODE = "node";

    private final GangCluster cluster;
    private final String level;
    /** By node, when the replay began. */
    private final int[] whole;
    /** By node, now. */
    private final int[] free;

    private long gangs;
    private long inOneDomain;
    private long neighbours;
    private long distance;
    private long freeNow;
    /** Of the free ones, those on nodes that are in use. */
    private long partlyNow;

    private boolean begun;
    private long last;
    private double partlyShareSum;
    private double seconds;

    /** @param level whose domains count; a node where it is empty */
    GangMeasures(GangCluster cluster, String level) {
        this.cluster = cluster;
        this.level = level;
        this.whole = cluster.free();
        this.free = cluster.free();
        this.freeNow = cluster.total();
    }

    /** @param nodes of the tasks, by rank */
    void started(List<String> nodes, long now) {
        advance(now);
        int[] at = nodes.stream().mapToInt(cluster::index).toArray();
        for (int node : at) {
            change(node, -1);
        }
        if (at.length < 2) {
            return;
        }
        gangs++;
        boolean together = true;
        for (int rank = 1; rank < at.length; rank++) {
            neighbours++;
            distance += cluster.fabric().distance(at[rank - 1], at[rank]);
            together &= domain(at[rank]) == domain(at[0]);
        }
        inOneDomain += together ? 1 : 0;
    }

    /** Nodes in none count as domains of their own. */
    private int domain(int node) {
        int domain = level.isEmpty() ? -1 : cluster.fabric().domainOf(level, node);
        return domain < 0 ? -1 - node : domain;
    }

    void ended(List<String> nodes, long now) {
        advance(now);
        nodes.forEach(node -> change(cluster.index(node), 1));
    }

    private void change(int node, int more) {
        partlyNow -= partly(node);
        free[node] += more;
        freeNow += more;
        partlyNow += partly(node);
    }

    private int partly(int node) {
        return free[node] < whole[node] ? free[node] : 0;
    }

    private void advance(long now) {
        if (begun && freeNow > 0) {
            partlyShareSum += (double) partlyNow / freeNow * (now - last);
            seconds += now - last;
        }
        begun = true;
        last = now;
    }

    GangOutcome outcome() {
        return new GangOutcome(
                level.isEmpty() ? NODE : level,
                gangs,
                share((double) inOneDomain, (double) gangs),
                share((double) distance, (double) neighbours),
                share(partlyShareSum, seconds));
    }

    private static double share(double part, double all) {
        return all == 0 ? 0 : part / all;
    }
}
