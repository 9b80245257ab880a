package io.surestate.scheduler.pool;

import io.surestate.api.Names;
import io.surestate.api.v1.Claim;
import io.surestate.api.v1.CoreShare;
import io.surestate.api.v1.Countable;
import io.surestate.api.v1.DeviceKind;
import io.surestate.api.v1.DeviceShare;
import io.surestate.api.v1.NicShare;
import io.surestate.api.v1.StorageShare;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What is free on one node: cores by id (or, of planning nodes, a sum of millicores), bytes of memory, thousandths of each device, goods. Mutable;
 * changed only through its {@link Pool}; one thread. Devices are addressed by their position here, ascending by ordinal.
 */
public final class NodeRow {
    private final String name;
    private final long epoch;
    private final int strain;
    private final Cores cores;
    private final long memoryCapacityBytes;
    private final Devices devices;
    private final DeviceLinks links;
    private final Goods goods;
    private final int[] places;
    private long memoryFreeBytes;

    private NodeRow(Builder from) {
        name = from.name;
        epoch = from.epoch;
        strain = from.strain;
        memoryCapacityBytes = from.memoryCapacityBytes;
        memoryFreeBytes = from.memoryFreeBytes;
        from.coreFree.sort(Comparator.comparingInt(core -> core[0]));
        cores = from.coreFree.isEmpty()
                ? new FlatCores(from.flatCapacityMilli, from.flatFreeMilli)
                : new ExactCores(
                        from.coreFree.stream().mapToInt(core -> core[0]).toArray(),
                        from.coreFree.stream().mapToInt(core -> core[1]).toArray(),
                        from.coreFree.stream().mapToInt(core -> core[2]).toArray());
        places = from.coreFree.stream()
                .mapToInt(core -> core[2])
                .distinct()
                .sorted()
                .toArray();
        from.devices.sort(Comparator.comparingInt(Builder.Device::ordinal));
        List<DeviceClass> classes =
                from.devices.stream().map(Builder.Device::type).distinct().toList();
        devices = new Devices(
                classes,
                from.devices.stream()
                        .mapToInt(device -> classes.indexOf(device.type()))
                        .toArray(),
                from.devices.stream().mapToInt(Builder.Device::ordinal).toArray(),
                from.devices.stream().mapToInt(Builder.Device::place).toArray(),
                from.devices.stream().mapToInt(Builder.Device::freeMilli).toArray());
        links = links(from.links);
        goods = new Goods(from.goods);
    }

    private DeviceLinks links(List<Builder.Joined> joined) {
        if (joined.isEmpty()) {
            return DeviceLinks.none(devices.count());
        }
        long[] bits = new long[devices.count() * devices.count()];
        for (Builder.Joined pair : joined) {
            int one = devices.position(pair.one());
            int other = devices.position(pair.other());
            bits[one * devices.count() + other] += pair.bits();
            bits[other * devices.count() + one] += pair.bits();
        }
        return new DeviceLinks(devices.count(), bits);
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

    /** How many signs there are that the node is hot or busy: nodes with fewer come first, whatever the policy likes. */
    public int strain() {
        return strain;
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

    /** Whether the node has anything to give, free or not. */
    public boolean hasAnything() {
        return cpuCapacityMilli() > 0 || memoryCapacityBytes > 0 || deviceCount() > 0;
    }

    Devices devices() {
        return devices;
    }

    /** Whether all but the devices suffices. */
    public boolean fitsBesideDevices(Shape shape) {
        return shape.memoryBytes() <= memoryFreeBytes && cores.fits(shape.cpuMilli()) && goods.fits(shape.others());
    }

    /** The NUMA places that have cores. */
    IntStream places() {
        return Arrays.stream(places);
    }

    boolean coresFitIn(Shape shape, int place) {
        return cores.fitsIn(shape.cpuMilli(), place);
    }

    /** In words: what of the goods is missing for so many tasks; empty = nothing. */
    public List<String> missingGoods(Shape shape, long tasks) {
        return goods.missing(shape.others(), tasks);
    }

    /** How many tasks can have their goods here beside each other, at most. */
    public long timesGoods(Shape shape) {
        return goods.times(shape.others());
    }

    /**
     * The exact place of a task whose devices are chosen, or empty if something else does not suffice. Of devices that are alike, those are
     * taken that are joined best; cores lie near the devices where these lie in one place. Changes nothing.
     */
    public Optional<Fit> fit(Shape shape, DeviceChoice choice) {
        if (!fitsBesideDevices(shape)) {
            return Optional.empty();
        }
        int[] positions = joined(choice);
        return Optional.of(new Fit(
                cores.choose(shape.cpuMilli(), place(choice, positions)),
                shape.memoryBytes(),
                positions,
                choice.milli(),
                goods.choose(shape.others())));
    }

    /** Where the cores should lie: where the choice says, else with the devices if all of these lie in one place. */
    private int place(DeviceChoice choice, int[] positions) {
        if (choice.place() != DeviceChoice.ANYWHERE || positions.length == 0) {
            return choice.place();
        }
        int first = devices.place(positions[0]);
        boolean together = Arrays.stream(positions).allMatch(position -> devices.place(position) == first);
        return together ? first : DeviceChoice.ANYWHERE;
    }

    /** The same choice with the best joined of the devices that are alike; only where all chosen ones are. */
    private int[] joined(DeviceChoice choice) {
        int[] positions = choice.positions();
        if (positions.length < 2 || !links.known()) {
            return positions;
        }
        int first = positions[0];
        boolean alike = IntStream.range(0, positions.length)
                .allMatch(i -> devices.alike(positions[i], first) && choice.milli(i) == choice.milli(0));
        if (!alike) {
            return positions;
        }
        int[] candidates = IntStream.range(0, devices.count())
                .filter(position -> devices.alike(position, first) && choice.allows(devices.place(position)))
                .toArray();
        return links.best(candidates, positions.length);
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
        for (GoodShare share : fit.goods()) {
            Good good = goods.at(share.at());
            switch (good.kind()) {
                case NIC ->
                    claim.addNics(NicShare.newBuilder().setNic(good.name()).setBitsPerSecond(share.amount()));
                case STORAGE ->
                    claim.addStorage(
                            StorageShare.newBuilder().setStorage(good.name()).setBytes(share.amount()));
                case COUNTABLE ->
                    claim.addCountables(
                            Countable.newBuilder().setName(good.name()).setAmount(share.amount()));
            }
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
                claim.getDevicesList().stream().mapToInt(DeviceShare::getMilli).toArray(),
                goodsOf(claim));
    }

    private List<GoodShare> goodsOf(Claim claim) {
        List<GoodShare> shares = new ArrayList<>();
        claim.getNicsList()
                .forEach(nic ->
                        shares.add(new GoodShare(goods.position(Good.Kind.NIC, nic.getNic()), nic.getBitsPerSecond())));
        claim.getStorageList()
                .forEach(storage -> shares.add(
                        new GoodShare(goods.position(Good.Kind.STORAGE, storage.getStorage()), storage.getBytes())));
        claim.getCountablesList()
                .forEach(countable -> shares.add(new GoodShare(
                        goods.position(Good.Kind.COUNTABLE, countable.getName()), countable.getAmount())));
        return List.copyOf(shares);
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
            goods.change(fit.goods(), sign);
        } catch (IllegalArgumentException refused) {
            changeCores(fit, -sign);
            throw refused;
        }
        try {
            devices.change(fit, sign);
        } catch (IllegalArgumentException refused) {
            goods.change(fit.goods(), -sign);
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
                && Arrays.equals(places, that.places)
                && goods.sameState(that.goods)
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
        private record Device(int ordinal, DeviceClass type, int place, int freeMilli) {}

        private record Joined(int one, int other, long bits) {}

        private final String name;
        private final List<int[]> coreFree = new ArrayList<>();
        private final List<Device> devices = new ArrayList<>();
        private final List<Joined> links = new ArrayList<>();
        private final List<Good> goods = new ArrayList<>();
        private long epoch;
        private int strain;
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

        /** Signs of heat or overload, 0 = none. */
        public Builder strain(int value) {
            strain = value;
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
            return core(id, freeMilli, DeviceChoice.ANYWHERE);
        }

        /** The same with its NUMA place. */
        public Builder core(int id, int freeMilli, int place) {
            coreFree.add(new int[] {id, freeMilli, place});
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
            return device(ordinal, new DeviceClass(kind, model), DeviceChoice.ANYWHERE, freeMilli);
        }

        /** The same with all that is known of it, and its NUMA place; -1 = unknown. */
        public Builder device(int ordinal, DeviceClass type, int place, int freeMilli) {
            devices.add(new Device(ordinal, type, place, freeMilli));
            return this;
        }

        /** A link between two devices by their ordinals. */
        public Builder link(int one, int other, long bitsPerSecond) {
            links.add(new Joined(one, other, bitsPerSecond));
            return this;
        }

        /** A NIC with its bandwidth and what is free of it, in bit/s. */
        public Builder nic(String nic, long capacity, long free) {
            goods.add(new Good(Good.Kind.NIC, nic, capacity, free));
            return this;
        }

        /** A local storage with its capacity and what is free of it, in bytes. */
        public Builder storage(String storage, long capacity, long free) {
            goods.add(new Good(Good.Kind.STORAGE, storage, capacity, free));
            return this;
        }

        /** Anything countable, with how much the node has and what is free of it. */
        public Builder countable(String countable, long capacity, long free) {
            goods.add(new Good(Good.Kind.COUNTABLE, countable, capacity, free));
            return this;
        }

        public NodeRow build() {
            return new NodeRow(this);
        }
    }
}
