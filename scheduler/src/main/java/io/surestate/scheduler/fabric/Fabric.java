package io.surestate.scheduler.fabric;

import io.surestate.api.v1.Domain;
import io.surestate.scheduler.pool.NodeSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The fabric tree over nodes that are known by index. Levels are whatever the nodes name, of any depth; a node may lack some. Immutable; void
 * once indices move.
 */
public final class Fabric {
    private final int nodes;
    private final List<String> levels;
    /** By depth. */
    private final List<List<FabricDomain>> domains = new ArrayList<>();
    /** By depth: the domain of each node, by position in that level's list; -1 = none. */
    private final List<int[]> domainOf = new ArrayList<>();
    /** By node: where it stands when nodes are sorted by path. */
    private final int[] rank;

    private Fabric(List<List<Domain>> paths) {
        nodes = paths.size();
        levels = levels(paths);
        for (String level : levels) {
            index(level, paths);
        }
        Integer[] byPath = IntStream.range(0, nodes).boxed().toArray(Integer[]::new);
        Arrays.sort(byPath, Comparator.comparing((Integer node) -> path(paths.get(node))));
        rank = new int[nodes];
        for (int i = 0; i < nodes; i++) {
            rank[byPath[i]] = i;
        }
    }

    /** The tree over these places, by node index, outermost level first. */
    public static Fabric of(List<List<Domain>> paths) {
        return new Fabric(paths);
    }

    /** A level stands inside of another if some node names it later; levels that no node orders stand by name. */
    private static List<String> levels(List<List<Domain>> paths) {
        Map<String, Integer> depth = new TreeMap<>();
        for (List<Domain> path : paths) {
            for (int i = 0; i < path.size(); i++) {
                depth.merge(path.get(i).getLevel(), i, Math::max);
            }
        }
        return depth.entrySet().stream()
                .sorted(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .toList();
    }

    private void index(String level, List<List<Domain>> paths) {
        Map<String, List<Integer>> members = new TreeMap<>();
        for (int node = 0; node < nodes; node++) {
            List<Domain> path = paths.get(node);
            for (int i = 0; i < path.size(); i++) {
                if (path.get(i).getLevel().equals(level)) {
                    members.computeIfAbsent(path(path.subList(0, i + 1)), unused -> new ArrayList<>())
                            .add(node);
                }
            }
        }
        int[] of = new int[nodes];
        Arrays.fill(of, -1);
        List<FabricDomain> list = new ArrayList<>();
        members.forEach((path, indices) -> {
            indices.forEach(node -> of[node] = list.size());
            list.add(new FabricDomain(
                    level,
                    path,
                    NodeSet.of(indices.stream().mapToInt(Integer::intValue).toArray())));
        });
        domains.add(List.copyOf(list));
        domainOf.add(of);
    }

    private static String path(List<Domain> path) {
        return String.join(
                "/",
                path.stream()
                        .map(step -> step.getLevel() + "=" + step.getName())
                        .toList());
    }

    /** Outermost first. */
    public List<String> levels() {
        return levels;
    }

    public boolean has(String level) {
        return levels.contains(level);
    }

    /** The domains of a level by path; none of an unknown level. */
    public List<FabricDomain> domains(String level) {
        return has(level) ? domains.get(levels.indexOf(level)) : List.of();
    }

    /** Those of them that lie in a room: the whole cluster, or a domain of an outer level. */
    public List<FabricDomain> domains(String level, NodeSet room) {
        return domains(level).stream()
                .filter(domain -> room.contains(domain.nodes().get(0)))
                .toList();
    }

    /** Where in {@link #domains(String)} the node's domain of that level stands; -1 = the node is in none. */
    public int domainOf(String level, int node) {
        return has(level) ? domainOf.get(levels.indexOf(level))[node] : -1;
    }

    /** Levels from that one outwards, itself first. */
    public List<String> outwards(String level) {
        List<String> outer = new ArrayList<>(levels.subList(0, levels.indexOf(level) + 1));
        Collections.reverse(outer);
        return outer;
    }

    /** Sorts nodes so that neighbours in rank are neighbours in the fabric: by path, then by index. */
    public int rank(int node) {
        return rank[node];
    }

    /** Steps up the tree until both nodes are in one domain: 0 = the same node, 1 = one innermost domain, levels + 1 = nothing in common. */
    public int distance(int one, int other) {
        if (one == other) {
            return 0;
        }
        for (int depth = levels.size() - 1; depth >= 0; depth--) {
            int[] of = domainOf.get(depth);
            if (of[one] >= 0 && of[one] == of[other]) {
                return levels.size() - depth;
            }
        }
        return levels.size() + 1;
    }
}
