package io.surestate.scheduler.gang;

import io.surestate.api.v1.DeviceKind;
import io.surestate.scheduler.pool.DeviceAsk;
import io.surestate.scheduler.pool.DeviceClass;
import io.surestate.scheduler.pool.NodeRow;
import io.surestate.scheduler.pool.NodeSet;
import io.surestate.scheduler.pool.Pool;
import io.surestate.scheduler.pool.Shape;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Which node is nearest to taking one task more, and what kinds of devices there are. */
final class Nearest {
    private static final int NAMED_MAX = 5;

    private final Pool pool;

    Nearest(Pool pool) {
        this.pool = pool;
    }

    /** Nodes that have anything; those out of use for a while have nothing. */
    private Stream<NodeRow> rows(NodeSet nodes) {
        return nodes.stream().mapToObj(pool::node).filter(NodeRow::hasAnything);
    }

    private Stream<NodeRow> rows() {
        return rows(NodeSet.range(0, pool.size()));
    }

    boolean anythingIn(NodeSet nodes) {
        return rows(nodes).findAny().isPresent();
    }

    /** In words: the smallest change by which one of these nodes would take one task more. */
    String next(Shape shape, NodeSet nodes) {
        List<NodeRow> there = rows(nodes).toList();
        List<NodeRow> able = there.stream().filter(row -> couldHold(row, shape)).toList();
        return (able.isEmpty() ? there : able)
                .stream()
                        .map(row -> Shortage.ofNext(row, shape))
                        .min(Comparator.naturalOrder())
                        .map(shortage ->
                                "the next would start with " + shortage.describe() + " more on " + shortage.node())
                        .orElse("no node of it is ready");
    }

    /** Whether the node, if it were empty, could hold one task, goods aside. */
    private static boolean couldHold(NodeRow row, Shape shape) {
        return row.cpuCapacityMilli() >= shape.cpuMilli()
                && row.memoryCapacityBytes() >= shape.memoryBytes()
                && shape.devices().stream().allMatch(ask -> accepted(row, ask) >= ask.count());
    }

    private static long accepted(NodeRow row, DeviceAsk ask) {
        return IntStream.range(0, row.deviceCount())
                .filter(position -> ask.accepts(row.deviceClass(position)))
                .count();
    }

    /** Whether any device, free or not, is what the line asks for. */
    boolean serves(DeviceAsk ask) {
        return rows().anyMatch(row -> row.deviceClasses().stream().anyMatch(ask::accepts));
    }

    /** In words: the models of one kind, some of them. */
    String devicesOf(DeviceKind kind) {
        List<String> models = rows().flatMap(row -> row.deviceClasses().stream())
                .filter(type -> type.kind() == kind)
                .map(Nearest::words)
                .distinct()
                .sorted()
                .toList();
        if (models.isEmpty()) {
            return "no " + kind(kind) + "s";
        }
        return String.join(", ", models.subList(0, Math.min(NAMED_MAX, models.size())))
                + (models.size() > NAMED_MAX ? " and others" : "");
    }

    private static String words(DeviceClass type) {
        return Stream.of(type.vendor(), type.model(), type.partition())
                .filter(word -> !word.isEmpty())
                .reduce((one, other) -> one + " " + other)
                .orElse("some without a name");
    }

    static String kind(DeviceKind kind) {
        return kind.name().replace("DEVICE_KIND_", "");
    }
}
