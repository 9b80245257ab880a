package io.surestate.scheduler.policy;

import io.surestate.api.v1.DeviceKind;
import io.surestate.scheduler.pool.DeviceAsk;
import io.surestate.scheduler.pool.DeviceChoice;
import io.surestate.scheduler.pool.DeviceClass;
import io.surestate.scheduler.pool.NodeRow;
import io.surestate.scheduler.pool.Pool;
import io.surestate.scheduler.pool.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * Where the least of what the future can still earn is lost. A node is worth what tasks like those that arrived can earn on it, limited by
 * whichever of its CPU, memory and device shares runs out first; the score is what a place gains less what the node loses. Devices of a
 * model that many tasks insist on are left to them. Small terms decide between equals: nodes and cores in use are filled up.
 *
 * <p>Learns from arrivals alone: the worth of device shares ({@link SizePrices}) and the kinds of tasks that come often enough to keep a
 * gap for. Before the first arrival only the small terms count. It refuses nothing.
 */
public final class SurestatePolicy implements Policy {
    private static final double MODEL_WEIGHT = 0.035;
    private static final double IDLE_DEVICE_WEIGHT = 0.001;
    private static final double IDLE_CPU_WEIGHT = 0.03 / 1000;
    /** Scores closer than that are equal. */
    private static final double SCORE_STEPS = 1e6;
    /** The part of all arrivals at which a gap's visitors are mostly believed in; a tenth of it counts for nothing. */
    private static final double FREQUENT = 0.004;
    /** Arrivals that are thought to have been of other shapes. */
    private static final double UNSEEN = 100;
    /** Arrivals that are thought to have wished for no model. */
    private static final double WISHLESS = 500;

    /** Kinds of tasks whose worth faded so far are left out. */
    private static final double BELIEVED_MIN = 0.01;
    /** Kinds of tasks that gaps are kept for, the most frequent first. */
    private static final int EARNERS_MAX = 256;

    private final Pool pool;
    private final RandomGenerator random;
    private final SeenShapes seen = new SeenShapes();
    private SortedMap<String, Double> modelLoad = new TreeMap<>();
    private final DeviceWorth nothing = new DeviceWorth(List.of());
    private final double[] sums = new double[nothing.columns()];
    private SortedMap<DeviceKind, DeviceWorth> worths = new TreeMap<>();
    private long generation;

    /**
     * Has learned nothing yet.
     *
     * @param pool capacities are read from it
     * @param random shakes demands; the same generator, the same decisions
     */
    public SurestatePolicy(Pool pool, RandomGenerator random) {
        this.pool = pool;
        this.random = random;
    }

    @Override
    public String name() {
        return "surestate";
    }

    @Override
    public long generation() {
        return generation;
    }

    @Override
    public void observe(Shape shape) {
        if (seen.observe(shape)) {
            List<SeenShapes.Part> parts = seen.lesson();
            worths = worths(parts);
            modelLoad = modelLoad(parts);
            generation++;
        }
    }

    /** What devices of that kind earn. */
    private DeviceWorth worth(DeviceKind kind, List<SeenShapes.Part> parts) {
        SortedMap<Integer, Double> shared = new TreeMap<>();
        List<SeenShapes.Part> single = new ArrayList<>();
        for (SeenShapes.Part part : parts) {
            for (DeviceAsk ask : part.shape().devices()) {
                if (ask.kind() == kind && ask.milli() < DeviceAsk.WHOLE_MILLI) {
                    shared.merge(ask.milli(), part.weight() * ask.count(), Double::sum);
                }
            }
            if (part.shape().deviceCount() == 1 && part.shape().devices().get(0).kind() == kind) {
                single.add(part);
            }
        }
        SizePrices prices = new SizePrices(shared, random);
        List<DeviceWorth.Earner> earners = new ArrayList<>();
        for (SeenShapes.Part part : single) {
            Shape shape = part.shape();
            int milli = (int) shape.deviceMilli();
            double weight = believed(visitors(single, shape));
            if (weight > BELIEVED_MIN && earners.size() < EARNERS_MAX) {
                earners.add(new DeviceWorth.Earner(
                        shape.cpuMilli(), shape.memoryBytes(), milli, weight * prices.worth(milli)));
            }
        }
        return new DeviceWorth(earners);
    }

    private SortedMap<DeviceKind, DeviceWorth> worths(List<SeenShapes.Part> parts) {
        SortedMap<DeviceKind, DeviceWorth> worths = new TreeMap<>();
        for (SeenShapes.Part part : parts) {
            for (DeviceAsk ask : part.shape().devices()) {
                worths.computeIfAbsent(ask.kind(), kind -> worth(kind, parts));
            }
        }
        return worths;
    }

    /** The part of arrivals that fill a gap of that shape as well as the shape itself: the same share, no more CPU or memory. */
    private static double visitors(List<SeenShapes.Part> single, Shape gap) {
        double sum = 0;
        for (SeenShapes.Part part : single) {
            Shape shape = part.shape();
            if (shape.deviceMilli() == gap.deviceMilli()
                    && shape.cpuMilli() <= gap.cpuMilli()
                    && shape.memoryBytes() <= gap.memoryBytes()) {
                sum += part.weight();
            }
        }
        return sum;
    }

    /** A few arrivals tell little of how often a shape comes, so its part is counted low. */
    private double believed(double part) {
        double ratio = part * seen.total() / (seen.total() + UNSEEN) / FREQUENT;
        return 1 - Math.exp(-ratio * ratio);
    }

    /** Of each model: devices asked for by tasks that name it, per device that exists, if all that is asked filled the pool just so. */
    private SortedMap<String, Double> modelLoad(List<SeenShapes.Part> parts) {
        SortedMap<String, Double> capacity = new TreeMap<>();
        for (int node = 0; node < pool.size(); node++) {
            NodeRow row = pool.node(node);
            for (int position = 0; position < row.deviceCount(); position++) {
                capacity.merge(row.deviceClass(position).model(), 1.0, Double::sum);
            }
        }
        double devices =
                capacity.values().stream().mapToDouble(Double::doubleValue).sum();
        double asked = 0;
        SortedMap<String, Double> load = new TreeMap<>();
        for (SeenShapes.Part part : parts) {
            for (DeviceAsk ask : part.shape().devices()) {
                asked += part.weight() * ask.totalMilli();
                for (String model : ask.models()) {
                    load.merge(
                            model,
                            part.weight() * ask.totalMilli() / ask.models().size(),
                            Double::sum);
                }
            }
        }
        double scale = asked == 0 ? 0 : devices / asked * seen.total() / (seen.total() + WISHLESS);
        load.replaceAll((model, milli) -> milli * scale / capacity.getOrDefault(model, 1.0));
        return load;
    }

    @Override
    public double score(Shape shape, NodeRow node, DeviceChoice choice) {
        long cpuLeft = node.cpuFreeMilli() - shape.cpuMilli();
        double idle = IDLE_DEVICE_WEIGHT * (node.devicesFreeMilli() - shape.deviceMilli()) + IDLE_CPU_WEIGHT * cpuLeft;
        double lost = node.deviceCount() == 0 ? 0 : lost(shape, node, choice);
        double gained = 0;
        for (int i = 0; i < choice.size(); i++) {
            DeviceClass type = node.deviceClass(choice.position(i));
            double load = modelLoad.isEmpty() ? 0 : modelLoad.getOrDefault(type.model(), 0.0);
            gained += choice.milli(i) * (1 - MODEL_WEIGHT * load);
        }
        return Math.rint((gained - lost - idle) * SCORE_STEPS) / SCORE_STEPS;
    }

    private double lost(Shape shape, NodeRow node, DeviceChoice choice) {
        Arrays.fill(sums, 0);
        for (int position = 0; position < node.deviceCount(); position++) {
            worthOf(node, position).add(sums, node.deviceFreeMilli(position));
        }
        double before = nothing.worth(sums, node.cpuFreeMilli(), node.memoryFreeBytes());
        for (int i = 0; i < choice.size(); i++) {
            int free = node.deviceFreeMilli(choice.position(i));
            worthOf(node, choice.position(i)).change(sums, free, free - choice.milli(i));
        }
        long cpuLeft = node.cpuFreeMilli() - shape.cpuMilli();
        return before - nothing.worth(sums, cpuLeft, node.memoryFreeBytes() - shape.memoryBytes());
    }

    private DeviceWorth worthOf(NodeRow node, int position) {
        return worths.getOrDefault(node.deviceClass(position).kind(), nothing);
    }
}
