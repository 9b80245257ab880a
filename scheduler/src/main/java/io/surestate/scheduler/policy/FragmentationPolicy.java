package io.surestate.scheduler.policy;

import io.surestate.scheduler.pool.DeviceAsk;
import io.surestate.scheduler.pool.DeviceChoice;
import io.surestate.scheduler.pool.NodeRow;
import io.surestate.scheduler.pool.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * Fragmentation gradient descent: where the idle devices that typical tasks cannot use grow least. Typical are the most frequent requests
 * (CPU and devices; memory is not looked at) that cover 95 % of all. What is typical is learned from arrivals, or, as in the published
 * experiment, told beforehand.
 */
public final class FragmentationPolicy implements Policy {
    private static final double COVERED = 0.95;
    private static final int SCORE_MAX = 100;
    private static final double GRADIENT_SCALE_MILLI = 1000;

    private record Typical(long cpuMilli, List<DeviceAsk> asks, double weight) {}

    private final SeenShapes seen = new SeenShapes();
    private List<Typical> typical = List.of();
    private int[] free = new int[8];
    private boolean learns = true;
    private long generation;

    /** Learns what is typical from arrivals. */
    public FragmentationPolicy() {}

    /** Is told all that will arrive, and learns nothing more. */
    public FragmentationPolicy(Iterable<Shape> workload) {
        workload.forEach(this::observe);
        typical = mostFrequent();
        learns = false;
    }

    @Override
    public String name() {
        return "fgd";
    }

    @Override
    public long generation() {
        return generation;
    }

    @Override
    public void observe(Shape shape) {
        if (learns && seen.observe(new Shape(shape.cpuMilli(), 0, shape.devices()))) {
            typical = mostFrequent();
            generation++;
        }
    }

    private List<Typical> mostFrequent() {
        List<Typical> most = new ArrayList<>();
        double covered = 0;
        for (SeenShapes.Part part : seen.lesson()) {
            if (covered >= COVERED) {
                break;
            }
            covered += part.weight();
            most.add(new Typical(part.shape().cpuMilli(), part.shape().devices(), part.weight()));
        }
        double sum = covered;
        return most.stream()
                .map(one -> new Typical(one.cpuMilli, one.asks, one.weight / sum))
                .toList();
    }

    @Override
    public double score(Shape shape, NodeRow node, DeviceChoice choice) {
        if (free.length < node.deviceCount()) {
            free = new int[node.deviceCount()];
        }
        for (int position = 0; position < node.deviceCount(); position++) {
            free[position] = node.deviceFreeMilli(position);
        }
        double before = fragments(node, node.cpuFreeMilli());
        for (int i = 0; i < choice.size(); i++) {
            free[choice.position(i)] -= choice.milli(i);
        }
        double after = fragments(node, node.cpuFreeMilli() - shape.cpuMilli());
        return (int) (SCORE_MAX / (1 + Math.exp((after - before) / GRADIENT_SCALE_MILLI)));
    }

    /** Idle thousandths that a typical task cannot use, on average. */
    private double fragments(NodeRow node, long cpuFreeMilli) {
        long idle = 0;
        for (int position = 0; position < node.deviceCount(); position++) {
            idle += free[position];
        }
        double sum = 0;
        for (Typical one : typical) {
            boolean useless = one.asks.isEmpty() || one.cpuMilli > cpuFreeMilli;
            sum += one.weight * (useless ? idle : unusable(node, one.asks.get(0), idle));
        }
        return sum;
    }

    private long unusable(NodeRow node, DeviceAsk ask, long idle) {
        int usable = 0;
        long unusable = 0;
        for (int position = 0; position < node.deviceCount(); position++) {
            if (free[position] >= ask.milli() && ask.accepts(node.deviceClass(position))) {
                usable++;
            } else {
                unusable += free[position];
            }
        }
        return usable < ask.count() ? idle : unusable;
    }
}
