package io.surestate.scheduler.pool;

import java.util.ArrayList;
import java.util.List;

/**
 * The distinct ways to give a shape its devices on one node. Devices that no policy can tell apart (same class, same free share) count
 * once, by their lowest position. An ask for several devices is met by neighbours in the order of free shares, once from each distinct
 * share upwards, so that whole devices give one way and shared ones few. Reused between calls; one thread.
 */
final class DeviceChoices {
    /** More ways than this are not looked at: tightest first, the rest is left out. */
    private static final int CHOICES_MAX = 64;

    private final List<DeviceChoice> choices = new ArrayList<>();
    private DeviceChoice partial = new DeviceChoice();
    private int count;

    /** Finds the ways and says how many; 0 if the devices do not suffice, 1 (an empty one) if none are asked. */
    int find(Shape shape, NodeRow node) {
        count = 0;
        if (shape.others().numaAligned()) {
            node.places().filter(place -> node.coresFitIn(shape, place)).forEach(place -> findIn(place, shape, node));
        } else {
            findIn(DeviceChoice.ANYWHERE, shape, node);
        }
        for (int i = 0; i < count; i++) {
            choices.get(i).alternatives(count);
        }
        return count;
    }

    private void findIn(int place, Shape shape, NodeRow node) {
        partial.clear();
        partial.place(place);
        if (shape.deviceMilli() <= node.devicesFreeMilli() && shape.deviceCount() <= node.deviceCount()) {
            extend(shape.devices(), 0, node.devices());
        }
    }

    DeviceChoice get(int index) {
        return choices.get(index);
    }

    private void extend(List<DeviceAsk> asks, int index, Devices devices) {
        if (asks.isEmpty()) {
            next().copyFrom(partial);
            return;
        }
        DeviceAsk ask = asks.get(index);
        int usable = usable(ask, devices);
        int previousClass = -1;
        int previousFree = -1;
        for (int rank = 0; usable >= ask.count() && rank < devices.count() && count < CHOICES_MAX; rank++) {
            int position = devices.ordered(rank);
            if (!usable(ask, devices, position)) {
                continue;
            }
            if (devices.classOf(position) != previousClass || devices.free(position) != previousFree) {
                previousClass = devices.classOf(position);
                previousFree = devices.free(position);
                addFrom(asks, index, devices, rank);
            }
            usable--;
        }
    }

    /** Meets the ask by the usable devices from that rank on, then goes on to the next ask. */
    private void addFrom(List<DeviceAsk> asks, int index, Devices devices, int rank) {
        boolean last = index == asks.size() - 1;
        DeviceChoice target = last ? next() : new DeviceChoice();
        target.copyFrom(partial);
        DeviceAsk ask = asks.get(index);
        int wanted = ask.count();
        for (int at = rank; wanted > 0; at++) {
            int position = devices.ordered(at);
            if (usable(ask, devices, position)) {
                target.add(position, ask.milli());
                wanted--;
            }
        }
        if (!last) {
            DeviceChoice outer = partial;
            partial = target;
            extend(asks, index + 1, devices);
            partial = outer;
        }
    }

    private int usable(DeviceAsk ask, Devices devices) {
        int usable = 0;
        for (int position = 0; position < devices.count(); position++) {
            usable += usable(ask, devices, position) ? 1 : 0;
        }
        return usable;
    }

    private boolean usable(DeviceAsk ask, Devices devices, int position) {
        return devices.free(position) >= ask.milli()
                && !partial.contains(position)
                && partial.allows(devices.place(position))
                && ask.accepts(devices.classes().get(devices.classOf(position)));
    }

    private DeviceChoice next() {
        if (count == choices.size()) {
            choices.add(new DeviceChoice());
        }
        return choices.get(count++);
    }
}
