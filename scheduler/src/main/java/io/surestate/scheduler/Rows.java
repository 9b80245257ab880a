package io.surestate.scheduler;

import io.surestate.api.v1.Domain;
import io.surestate.api.v1.Telemetry;
import io.surestate.scheduler.PlacementView.NodeOffer;
import io.surestate.scheduler.fabric.Fabric;
import io.surestate.scheduler.gang.GangAsk;
import io.surestate.scheduler.gang.GangResult;
import io.surestate.scheduler.gang.GangSearch;
import io.surestate.scheduler.gang.GroupAsk;
import io.surestate.scheduler.gang.GrowthAsk;
import io.surestate.scheduler.gang.GrowthSearch;
import io.surestate.scheduler.gang.TaskPlace;
import io.surestate.scheduler.policy.Policy;
import io.surestate.scheduler.policy.PolicyFactory;
import io.surestate.scheduler.pool.NodeRow;
import io.surestate.scheduler.pool.NodeSet;
import io.surestate.scheduler.pool.Placer;
import io.surestate.scheduler.pool.Pool;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;

/**
 * The pool of one scheduler, brought up to date from views. What a plan takes is noted: whether it was committed only the next view tells, so
 * these nodes are looked at again whatever their version. One thread.
 */
final class Rows {
    /** Version of what is not in the view. */
    private static final Object MISSING = new Object();

    private final PolicyFactory factory;
    private final RandomGenerator random;
    private final Pool pool = new Pool(List.of());
    private final Map<String, NodeOffer> shown = new LinkedHashMap<>();
    private final Set<String> touched = new TreeSet<>();
    private List<NodeOffer> last = List.of();
    private NodeSet all = NodeSet.of();
    /** All but what is kept. */
    private NodeSet open = NodeSet.of();

    private Optional<Policy> policy = Optional.empty();
    private Optional<GangSearch> search = Optional.empty();
    private Optional<GrowthSearch> growth = Optional.empty();

    Rows(PolicyFactory factory, RandomGenerator random) {
        this.factory = factory;
        this.random = random;
    }

    /** Brings every row up to the view. */
    void show(PlacementView view) {
        boolean sameNodes = sameNodes(view.nodes());
        boolean moved = !sameNodes && emptyMissing(view);
        List<NodeRow> added = new ArrayList<>();
        for (int i = 0; i < view.nodes().size(); i++) {
            NodeOffer offer = view.nodes().get(i);
            if (sameNodes && isThatOf(offer, last.get(i))) {
                continue;
            }
            Optional<NodeOffer> before = Optional.ofNullable(shown.put(offer.name(), offer));
            if (before.isEmpty()) {
                added.add(offer.row().get());
            } else if (!before.get().version().equals(offer.version())) {
                pool.replace(offer.row().get());
                moved |= !before.get().domains().equals(offer.domains());
            }
        }
        touched.forEach(name -> pool.replace(offer(name).row().get()));
        touched.clear();
        last = view.nodes();
        pool.addAll(added);
        all = NodeSet.range(0, pool.size());
        open = view.kept().isEmpty()
                ? all
                : NodeSet.of(all.stream()
                        .filter(node -> !view.kept().contains(pool.node(node).name()))
                        .toArray());
        if (moved || !added.isEmpty() || search.isEmpty()) {
            Policy learned = policy.orElseGet(() -> factory.create(pool, random));
            policy = Optional.of(learned);
            Placer placer = new Placer(pool, learned);
            Fabric fabric = fabric();
            search = Optional.of(new GangSearch(pool, placer, fabric));
            growth = Optional.of(new GrowthSearch(pool, placer, fabric));
        }
    }

    /** Whoever shows the same offer again says that nothing of the node changed. */
    @SuppressWarnings("ReferenceEquality")
    private static boolean isThatOf(NodeOffer now, NodeOffer before) {
        return now == before;
    }

    /** Whether these are the nodes of the last view, in their order. */
    private boolean sameNodes(List<NodeOffer> nodes) {
        boolean same = nodes.size() == last.size();
        for (int i = 0; same && i < nodes.size(); i++) {
            same = isThatOf(nodes.get(i), last.get(i))
                    || nodes.get(i).name().equals(last.get(i).name());
        }
        return same;
    }

    /** A node that takes nothing now keeps its place, without anything to give; whether its domains changed is as if they had. */
    private boolean emptyMissing(PlacementView view) {
        Set<String> present = new LinkedHashSet<>();
        view.nodes().forEach(offer -> present.add(offer.name()));
        List<NodeOffer> missing = shown.values().stream()
                .filter(offer -> offer.version() != MISSING && !present.contains(offer.name()))
                .toList();
        for (NodeOffer offer : missing) {
            NodeOffer empty = new NodeOffer(
                    offer.name(),
                    MISSING,
                    List.of(),
                    () -> NodeRow.builder(offer.name()).build());
            shown.put(offer.name(), empty);
            pool.replace(empty.row().get());
        }
        return !missing.isEmpty();
    }

    private Fabric fabric() {
        List<List<Domain>> paths = new ArrayList<>(pool.size());
        for (int node = 0; node < pool.size(); node++) {
            paths.add(offer(pool.node(node).name()).domains());
        }
        return Fabric.of(paths);
    }

    /** What was said of a node with the newest view; empty = nothing. */
    Optional<Telemetry> telemetry(String name) {
        return Optional.of(offer(name).telemetry()).filter(known -> !known.equals(Telemetry.getDefaultInstance()));
    }

    private NodeOffer offer(String name) {
        return Optional.ofNullable(shown.get(name)).orElseThrow();
    }

    /** @param intoKept whether nodes that the view keeps may be taken */
    GangResult place(GangAsk gang, boolean intoKept) {
        for (GroupAsk group : gang.groups()) {
            policy.orElseThrow().observe(group.shape());
        }
        GangResult result = search.orElseThrow().place(gang, room(intoKept));
        if (result instanceof GangResult.Placed placed) {
            touch(placed.tasks());
        }
        return result;
    }

    List<TaskPlace> grow(GrowthAsk ask, boolean intoKept) {
        List<TaskPlace> tasks = growth.orElseThrow().place(ask, room(intoKept));
        touch(tasks);
        return tasks;
    }

    private NodeSet room(boolean intoKept) {
        return intoKept ? all : open;
    }

    private void touch(List<TaskPlace> tasks) {
        tasks.forEach(task -> touched.add(row(task.place().node()).name()));
    }

    /** Where a node stands, if it was ever shown. */
    OptionalInt indexOf(String node) {
        return pool.indexOf(node);
    }

    NodeRow row(int node) {
        return pool.node(node);
    }
}
