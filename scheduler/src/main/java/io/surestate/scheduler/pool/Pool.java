package io.surestate.scheduler.pool;

import io.surestate.api.Names;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.OptionalInt;

/**
 * All nodes that may take work, by index; the order of indices is the order of names. Mutable, kept across scheduling passes; one thread.
 * Each node's version grows with each change of what is free on it. Adding and removing nodes moves indices and voids rankings and
 * {@link NodeSet}s, so a node that is only out of use for a while is better {@link #replace}d by an empty row of its name.
 */
public final class Pool {
    /** Changes remembered; whoever is further behind looks at every node. */
    private static final int CHANGES_KEPT = 1 << 14;

    private final List<NodeRow> nodes = new ArrayList<>();
    private final int[] changes = new int[CHANGES_KEPT];
    private long[] versions;
    private long changed;
    private long structure;

    /** Of these rows, in any order; names are distinct. */
    public Pool(Collection<NodeRow> rows) {
        nodes.addAll(rows);
        nodes.sort(Comparator.comparing(NodeRow::name));
        for (int i = 1; i < nodes.size(); i++) {
            if (nodes.get(i).name().equals(nodes.get(i - 1).name())) {
                throw new IllegalArgumentException(
                        Names.message("node", nodes.get(i).name(), "each name once"));
            }
        }
        versions = new long[nodes.size()];
    }

    public int size() {
        return nodes.size();
    }

    public NodeRow node(int index) {
        return nodes.get(index);
    }

    /** The index of the node of that name, or empty. */
    public OptionalInt indexOf(String name) {
        int at = search(name);
        return at >= 0 ? OptionalInt.of(at) : OptionalInt.empty();
    }

    private int search(String name) {
        int low = 0;
        int high = nodes.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = nodes.get(middle).name().compareTo(name);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }

    /** Adds a node; the indices of those with greater names move. */
    public void add(NodeRow row) {
        int at = search(row.name());
        if (at >= 0) {
            throw new IllegalArgumentException(Names.message("node", row.name(), "a name that is not in the pool"));
        }
        nodes.add(-at - 1, row);
        restructured();
    }

    /** Puts another row in the place of the node of the same name; indices stay. */
    public void replace(NodeRow row) {
        int at = existing(row.name());
        nodes.set(at, row);
        touch(at);
    }

    /** Removes a node; the indices of those with greater names move. */
    public void remove(String name) {
        nodes.remove(existing(name));
        restructured();
    }

    private int existing(String name) {
        return indexOf(name)
                .orElseThrow(() -> new IllegalArgumentException(Names.message("node", name, "a node of the pool")));
    }

    private void restructured() {
        structure++;
        changed++;
        versions = new long[nodes.size()];
        Arrays.fill(versions, changed);
    }

    /** Takes what the fit names; refuses, changing nothing, what is not free. */
    public void take(int node, Fit fit) {
        nodes.get(node).take(fit);
        touch(node);
    }

    /** Gives back what the fit names: the exact undo of {@link #take}. */
    public void release(int node, Fit fit) {
        nodes.get(node).release(fit);
        touch(node);
    }

    private void touch(int node) {
        changes[(int) (changed % CHANGES_KEPT)] = node;
        versions[node] = ++changed;
    }

    /** Grows with each change of the node; of two nodes the one changed later has the greater version. */
    public long version(int node) {
        return versions[node];
    }

    /** Grows when indices move. */
    long structure() {
        return structure;
    }

    /** Changes so far. */
    long changed() {
        return changed;
    }

    /** Whether all changes after that many are still remembered. */
    boolean remembers(long since) {
        return changed - since <= CHANGES_KEPT;
    }

    /** The node of a remembered change, or -1 if the node changed again later: only its last change counts. */
    int changedNode(long change) {
        int node = changes[(int) (change % CHANGES_KEPT)];
        return versions[node] == change + 1 ? node : -1;
    }
}
