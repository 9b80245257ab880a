package io.surestate.scheduler;

import io.surestate.api.v1.DeviceKind;
import java.util.List;

/**
 * What is free in the cluster at one revision. Only nodes that may take work.
 *
 * @param nodes in a stable order, which is the order of preference
 */
public record PlacementView(long revision, List<NodeOffer> nodes) {
    public PlacementView {
        nodes = List.copyOf(nodes);
    }

    /** One core with what is free of it, in thousandths. */
    public record CoreOffer(int id, int freeMilli) {}

    /** A device that is wholly free and healthy. */
    public record DeviceOffer(int ordinal, DeviceKind kind, String model) {}

    /**
     * A node's free capacity.
     *
     * @param cores ascending by id
     * @param devices ascending by ordinal
     */
    public record NodeOffer(
            String name, long epoch, List<CoreOffer> cores, long freeMemoryBytes, List<DeviceOffer> devices) {
        public NodeOffer {
            cores = List.copyOf(cores);
            devices = List.copyOf(devices);
        }
    }
}
