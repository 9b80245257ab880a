package io.surestate.scheduler.gang;

import io.surestate.scheduler.pool.DeviceAsk;
import io.surestate.scheduler.pool.NodeRow;
import io.surestate.scheduler.pool.NodeSet;
import io.surestate.scheduler.pool.Pool;
import io.surestate.scheduler.pool.Shape;

/**
 * How many tasks of one shape have room on each node, at most: where cores or devices are left in odd pieces it may be fewer. As of the
 * moment it was made.
 */
final class RoomCount {
    private static final int UNLIMITED = 1 << 20;

    private final int[] byNode;

    RoomCount(Pool pool, Shape shape, NodeSet room) {
        byNode = new int[pool.size()];
        for (int i = 0; i < room.size(); i++) {
            byNode[room.get(i)] = on(pool.node(room.get(i)), shape);
        }
    }

    /** Tasks that have room on the node, each next to the others, at most. */
    static int on(NodeRow row, Shape shape) {
        if (!row.fitsBesideDevices(shape)) {
            return 0;
        }
        long room = Math.min(UNLIMITED, row.timesGoods(shape));
        if (shape.cpuMilli() > 0) {
            room = Math.min(room, row.cpuFreeMilli() / shape.cpuMilli());
        }
        if (shape.memoryBytes() > 0) {
            room = Math.min(room, row.memoryFreeBytes() / shape.memoryBytes());
        }
        for (DeviceAsk ask : shape.devices()) {
            room = Math.min(room, pieces(row, ask) / ask.count());
        }
        return (int) room;
    }

    /** Of such devices, how many shares of the asked size are free. */
    static long pieces(NodeRow row, DeviceAsk ask) {
        long pieces = 0;
        for (int position = 0; position < row.deviceCount(); position++) {
            if (ask.accepts(row.deviceClass(position))) {
                pieces += row.deviceFreeMilli(position) / ask.milli();
            }
        }
        return pieces;
    }

    long in(NodeSet nodes) {
        long sum = 0;
        for (int i = 0; i < nodes.size(); i++) {
            sum += byNode[nodes.get(i)];
        }
        return sum;
    }
}
