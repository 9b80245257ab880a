package io.surestate.statemachine.state;

import io.surestate.api.v1.Claim;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.NumaNode;
import java.util.Arrays;

/**
 * An exact amount of one node's goods: cores and devices in thousandths of each, memory in bytes, links in bit/s. Used for what a node can give,
 * what is held of it and what is free.
 *
 * @param cores by operating-system core number
 * @param memoryBytes never negative
 * @param devices by node-local ordinal
 * @param links NICs and device links by name
 */
public record Amounts(Shares cores, long memoryBytes, Shares devices, Bandwidths links) {
    /** A whole core or device. */
    public static final int WHOLE_MILLI = 1_000;
    /** Nothing. */
    public static final Amounts NOTHING = new Amounts(Shares.NONE, 0, Shares.NONE, Bandwidths.NONE);

    public Amounts {
        Invariants.check(memoryBytes >= 0, "memory never below 0: %d", memoryBytes);
    }

    /** What a node has. Partitions count as 0: they are not given out yet. */
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
        int[] deviceMilli = spec.getDevicesList().stream()
                .mapToInt(d -> d.getParentPlusOne() == 0 ? WHOLE_MILLI : 0)
                .toArray();
        return new Amounts(
                Shares.adopt(cores, coreMilli),
                spec.getMemoryBytes(),
                Shares.adopt(devices, deviceMilli),
                Bandwidths.capacity(spec));
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
                Bandwidths.of(claim));
    }

    public boolean isNothing() {
        return memoryBytes == 0
                && cores.size() == 0
                && devices.size() == 0
                && links.names().isEmpty();
    }

    public Amounts plus(Amounts other) {
        return new Amounts(
                cores.plus(other.cores),
                Math.addExact(memoryBytes, other.memoryBytes),
                devices.plus(other.devices),
                links.plus(other.links));
    }

    Amounts minus(Amounts other) {
        return new Amounts(
                cores.minus(other.cores),
                memoryBytes - other.memoryBytes,
                devices.minus(other.devices),
                links.minus(other.links));
    }

    /** What is left when the held amounts are taken away; never below 0, also where more is held than there is. */
    Amounts leftAfter(Amounts held) {
        return new Amounts(
                cores.leftAfter(held.cores),
                Math.max(0, memoryBytes - held.memoryBytes),
                devices.leftAfter(held.devices),
                links.leftAfter(held.links));
    }

    /** The same without a share of these devices. */
    Amounts withoutDevices(Shares gone) {
        return gone.size() == 0 ? this : new Amounts(cores, memoryBytes, devices.leftAfter(gone), links);
    }

    /** Whether the other amounts fit into these. */
    public boolean covers(Amounts other) {
        return other.memoryBytes <= memoryBytes
                && covers(cores, other.cores)
                && covers(devices, other.devices)
                && links.covers(other.links);
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
