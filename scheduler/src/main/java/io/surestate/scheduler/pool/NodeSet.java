package io.surestate.scheduler.pool;

import java.util.Arrays;
import java.util.stream.IntStream;

/** Indices of nodes of a {@link Pool}, ascending and distinct: a fabric domain, say. Immutable; void once nodes are added or removed. */
public final class NodeSet {
    private final int[] nodes;

    private NodeSet(int[] nodes) {
        this.nodes = nodes;
    }

    /** In any order; repeated ones count once. */
    public static NodeSet of(int... nodes) {
        return new NodeSet(Arrays.stream(nodes).sorted().distinct().toArray());
    }

    /** From the first to the one before the last. */
    public static NodeSet range(int first, int end) {
        int[] nodes = new int[Math.max(0, end - first)];
        Arrays.setAll(nodes, i -> first + i);
        return new NodeSet(nodes);
    }

    public int size() {
        return nodes.length;
    }

    public int get(int index) {
        return nodes[index];
    }

    /** The indices, ascending. */
    public IntStream stream() {
        return Arrays.stream(nodes);
    }

    public boolean contains(int node) {
        return Arrays.binarySearch(nodes, node) >= 0;
    }
}
