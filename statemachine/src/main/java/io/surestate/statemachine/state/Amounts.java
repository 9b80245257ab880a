package io.surestate.statemachine.state;

import io.surestate.api.FreeAmounts;
import io.surestate.api.v1.Claim;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.NumaNode;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * An exact amount of one node's goods: cores and devices in thousandths of each, memory in bytes, the rest by name. Used for what a node can give,
 * what is held of it and what is free.
 *
 * @param cores by operating-system core number
 * @param memoryBytes never negative
 * @param devices by node-local ordinal
 * @param named NICs, device links, storage and countables by name
 */
public record Amounts(Shares cores, long memoryBytes, Shares devices, NamedAmounts named) implements FreeAmounts {
    /** A whole core or device. */
    public static final int WHOLE_MILLI = 1_000;
    /** Nothing. */
    public static final Amounts NOTHING = new Amounts(Shares.NONE, 0, Shares.NONE, NamedAmounts.NONE);

    public Amounts {
        Invariants.check(memoryBytes >= 0, "memory never below 0: %d", memoryBytes);
    }

    @Override
    public int coreMilli(int id) {
        return cores.milli(id);
    }

    @Override
    public int deviceMilli(int ordinal) {
        return devices.milli(ordinal);
    }

    @Override
    public long nic(String name) {
        return named.of(NamedAmounts.nicName(name));
    }

    @Override
    public long storage(String name) {
        return named.of(NamedAmounts.storageName(name));
    }

    @Override
    public long countable(String name) {
        return named.of(name);
    }

    /** What a node has. A device that has partitions counts as 0: it is given out by these alone. */
    static Amounts capacity(NodeSpec spec) {
        int[] cores = spec.getNumaList().stream()
                .map(NumaNode::getCoreIdsList)
                .flatMapToInt(ids -> ids.stream().mapToInt(Integer::intValue))
                .sorted()
                .toArray();
        int[] coreMilli = new int[cores.length];
        Arrays.fill(coreMilli, WHOLE_MILLI);
        int[] devices =
                spec.getDevicesList().stream().mapToInt(Device::getOrdinal).toArray();
        Set<Integer> partitioned = spec.getDevicesList().stream()
                .filter(device -> device.getParentPlusOne() > 0)
                .map(device -> device.getParentPlusOne() - 1)
                .collect(Collectors.toCollection(TreeSet::new));
        int[] deviceMilli = spec.getDevicesList().stream()
                .mapToInt(device -> partitioned.contains(device.getOrdinal()) ? 0 : WHOLE_MILLI)
                .toArray();
        return new Amounts(
                Shares.adopt(cores, coreMilli),
                spec.getMemoryBytes(),
                Shares.adopt(devices, deviceMilli),
                NamedAmounts.capacity(spec));
    }

    /** What a claim takes. */
    public static Amounts of(Claim claim) {
        int[] cores = new int[claim.getCoresCount()];
        int[] coreMilli = new int[cores.length];
        for (int i = 0; i < cores.length; i++) {
            cores[i] = claim.getCores(i).getCoreId();
            coreMilli[i] = claim.getCores(i).getMilli();
        }
        int[] devices = new int[claim.getDevicesCount()];
        int[] deviceMilli = new int[devices.length];
        for (int i = 0; i < devices.length; i++) {
            devices[i] = claim.getDevices(i).getOrdinal();
            deviceMilli[i] = claim.getDevices(i).getMilli();
        }
        return new Amounts(
                Shares.adopt(cores, coreMilli),
                claim.getMemoryBytes(),
                Shares.adopt(devices, deviceMilli),
                NamedAmounts.of(claim));
    }

    public boolean isNothing() {
        return memoryBytes == 0
                && cores.size() == 0
                && devices.size() == 0
                && named.names().isEmpty();
    }

    public Amounts plus(Amounts other) {
        return new Amounts(
                cores.plus(other.cores),
                Math.addExact(memoryBytes, other.memoryBytes),
                devices.plus(other.devices),
                named.plus(other.named));
    }

    Amounts minus(Amounts other) {
        return new Amounts(
                cores.minus(other.cores),
                memoryBytes - other.memoryBytes,
                devices.minus(other.devices),
                named.minus(other.named));
    }

    /** What is left when the held amounts are taken away; never below 0, also where more is held than there is. */
    Amounts leftAfter(Amounts held) {
        return new Amounts(
                cores.leftAfter(held.cores),
                Math.max(0, memoryBytes - held.memoryBytes),
                devices.leftAfter(held.devices),
                named.leftAfter(held.named));
    }

    /** The same without a share of these devices. */
    Amounts withoutDevices(Shares gone) {
        return gone.size() == 0 ? this : new Amounts(cores, memoryBytes, devices.leftAfter(gone), named);
    }

    /** Whether the other amounts fit into these. */
    public boolean covers(Amounts other) {
        return other.memoryBytes <= memoryBytes
                && covers(cores, other.cores)
                && covers(devices, other.devices)
                && named.covers(other.named);
    }

    private static boolean covers(Shares have, Shares want) {
        for (int i = 0; i < want.size(); i++) {
            if (have.milli(want.idAt(i)) < want.milliAt(i)) {
                return false;
            }
        }
        return true;
    }
}
