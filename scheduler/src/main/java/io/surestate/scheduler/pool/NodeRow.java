package io.surestate.scheduler.pool;

import io.surestate.api.Names;
import io.surestate.api.v1.Claim;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.DeviceShare;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What is free on one node: cores by id (or, of planning nodes, a sum of millicores), bytes of memory, thousandths of each device. Mutable;
 * changed only through its {@link Pool}; one thread. Devices are addressed by their position here, ascending by ordinal.
 */
public final class NodeRow {
    private final String name;
    private final long epoch;
    private final Cores cores;
    private final long memoryCapacityBytes;
    private final Devices devices;
    private long memoryFreeBytes;

    private NodeRow(Builder from) {
        name = from.name;
        epoch = from.epoch;
        memoryCapacityBytes = from.memoryCapacityBytes;
        memoryFreeBytes = from.memoryFreeBytes;
        from.coreFree.sort(Comparator.comparingInt(core -> core[0]));
        cores = from.coreFree.isEmpty()
                ? new FlatCores(from.flatCapacityMilli, from.flatFreeMilli)
                : new ExactCores(
                        from.coreFree.stream().mapToInt(core -> core[0]).toArray(),
                        from.coreFree.stream().mapToInt(core -> core[1]).toArray());
        from.devices.sort(Comparator.comparingInt(Builder.Device::ordinal));
        List<DeviceClass> classes =
                from.devices.stream().map(Builder.Device::type).distinct().toList();
        devices = new Devices(
                classes,
                from.devices.stream()
                        .mapToInt(device -> classes.indexOf(device.type()))
                        .toArray(),
                from.devices.stream().mapToInt(Builder.Device::ordinal).toArray(),
                from.devices.stream().mapToInt(Builder.Device::freeMilli).toArray());
    }

    /** A row to be described; without further words the node has nothing. */
    public static Builder builder(String name) {
        return new Builder(name);
    }

    public String name() {
        return name;
    }

    public long epoch() {
        return epoch;
    }

    public long cpuCapacityMilli() {
        return cores.capacityMilli();
    }

    public long cpuFreeMilli() {
        return cores.freeMilli();
    }

    public long memoryCapacityBytes() {
        return memoryCapacityBytes;
    }

    public long memoryFreeBytes() {
        return memoryFreeBytes;
    }

    public int deviceCount() {
        return devices.count();
    }

    public DeviceClass deviceClass(int position) {
        return devices.classes().get(devices.classOf(position));
    }

    /** The classes of its devices, each once, in the order of first appearance. */
    public List<DeviceClass> deviceClasses() {
        return devices.classes();
    }

    public int deviceOrdinal(int position) {
        return devices.ordinal(position);
    }

    /** Thousandths free of the device at that position, 0-1000. */
    public int deviceFreeMilli(int position) {
        return devices.free(position);
    }

    /** Thousandths free of all devices together. */
    public long devicesFreeMilli() {
        return devices.freeMilli();
    }

    /** Tasks of that class that were placed here, less those that went. */
    public int held(Demand demand) {
        return devices.held(demand);
    }

    Devices devices() {
        return devices;
    }

    /** Whether CPU and memory suffice; says nothing of devices. */
    public boolean fitsCpuAndMemory(Shape shape) {
        return shape.memoryBytes() <= memoryFreeBytes && cores.fits(shape.cpuMilli());
    }

    /** The exact place of a task whose devices are chosen, or empty if CPU or memory do not suffice. Changes nothing. */
    public Optional<Fit> fit(Shape shape, DeviceChoice choice) {
        return fitsCpuAndMemory(shape)
                ? Optional.of(new Fit(
                        cores.choose(shape.cpuMilli()), shape.memoryBytes(), choice.positions(), choice.milli()))
                : Optional.empty();
    }

    /** The fit in the words of the contract: core ids, bytes, device ordinals. */
    public Claim claim(Fit fit) {
        Claim.Builder claim = Claim.newBuilder().setMemoryBytes(fit.memoryBytes());
        for (int i = 0; i < fit.coreCount(); i++) {
            claim.addCores(CoreShare.newBuilder().setCoreId(fit.coreId(i)).setMilli(fit.coreMilli(i)));
        }
        for (int i = 0; i < fit.deviceCount(); i++) {
            claim.addDevices(DeviceShare.newBuilder()
                    .setOrdinal(devices.ordinal(fit.devicePosition(i)))
                    .setMilli(fit.deviceMilli(i)));
        }
        return claim.build();
    }

    /** What a claim on this node takes of this row; names only cores and devices that the node has. */
    public Fit fitOf(Claim claim) {
        CoreShares shares = new CoreShares(
                claim.getCoresList().stream().mapToInt(CoreShare::getCoreId).toArray(),
                claim.getCoresList().stream().mapToInt(CoreShare::getMilli).toArray());
        return new Fit(
                shares,
                claim.getMemoryBytes(),
                claim.getDevicesList().stream()
                        .mapToInt(device -> devices.position(device.getOrdinal()))
                        .toArray(),
                claim.getDevicesList().stream().mapToInt(DeviceShare::getMilli).toArray());
    }

    void take(Fit fit) {
        change(fit, -1);
    }

    void release(Fit fit) {
        change(fit, 1);
    }

    /** All or nothing: each side checks before it changes, and memory, which cannot fail after its check, goes last. */
    private void change(Fit fit, int sign) {
        long memory = memoryFreeBytes + sign * fit.memoryBytes();
        if (memory < 0 || memory > memoryCapacityBytes) {
            throw new IllegalArgumentException(Names.message(
                    "memoryBytes", Long.toString(fit.memoryBytes()), "free stays in 0-" + memoryCapacityBytes));
        }
        changeCores(fit, sign);
        try {
            devices.change(fit, sign);
        } catch (IllegalArgumentException refused) {
            changeCores(fit, -sign);
            throw refused;
        }
        memoryFreeBytes = memory;
    }

    private void changeCores(Fit fit, int sign) {
        if (sign < 0) {
            cores.take(fit);
        } else {
            cores.release(fit);
        }
    }

    /** Whether every shape fits, and scores, the same on both: the free amounts are equal, devices up to their order. */
    boolean sameState(NodeRow that) {
        return memoryFreeBytes == that.memoryFreeBytes
                && memoryCapacityBytes == that.memoryCapacityBytes
                && cores.getClass() == that.cores.getClass()
                && cores.capacityMilli() == that.cores.capacityMilli()
                && cores.state() == that.cores.state()
                && devices.sameState(that.devices);
    }

    /** Equal for rows of {@link #sameState}. */
    long stateHash() {
        long hash = devices.stateHash(memoryFreeBytes) * 31 + cores.state();
        hash = (hash ^ (hash >>> 32)) * 0xD6E8FEB86659FD93L;
        return hash ^ (hash >>> 32);
    }

    /** Describes a row. One thread. */
    public static final class Builder {
        private record Device(int ordinal, DeviceClass type, int freeMilli) {}

        private final String name;
        private final List<int[]> coreFree = new ArrayList<>();
        private final List<Device> devices = new ArrayList<>();
        private long epoch;
        private long flatCapacityMilli;
        private long flatFreeMilli;
        private long memoryCapacityBytes;
        private long memoryFreeBytes;

        private Builder(String name) {
            this.name = name;
        }

        public Builder epoch(long value) {
            epoch = value;
            return this;
        }

        /** CPU as a sum of millicores, all free; cores named by {@link #core} win over it. */
        public Builder flatCpu(long capacityMilli) {
            flatCapacityMilli = capacityMilli;
            flatFreeMilli = capacityMilli;
            return this;
        }

        /** A core by its id, with what is free of it in thousandths. */
        public Builder core(int id, int freeMilli) {
            coreFree.add(new int[] {id, freeMilli});
            return this;
        }

        /** Memory, all free. */
        public Builder memory(long capacityBytes) {
            return memory(capacityBytes, capacityBytes);
        }

        public Builder memory(long capacityBytes, long freeBytes) {
            if (freeBytes < 0 || freeBytes > capacityBytes) {
                throw new IllegalArgumentException(
                        Names.message("freeBytes", Long.toString(freeBytes), "0-" + capacityBytes));
            }
            memoryCapacityBytes = capacityBytes;
            memoryFreeBytes = freeBytes;
            return this;
        }

        /** A device by its node-local ordinal, with what is free of it in thousandths; 0 keeps it out of use. */
        public Builder device(int ordinal, DeviceKind kind, String model, int freeMilli) {
            devices.add(new Device(ordinal, new DeviceClass(kind, model), freeMilli));
            return this;
        }

        public NodeRow build() {
            return new NodeRow(this);
        }
    }
}
