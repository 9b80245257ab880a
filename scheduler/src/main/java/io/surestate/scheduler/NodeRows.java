package io.surestate.scheduler;

import io.surestate.api.FreeAmounts;
import io.surestate.api.v1.Countable;
import io.surestate.api.v1.Device;
import io.surestate.api.v1.Link;
import io.surestate.api.v1.Nic;
import io.surestate.api.v1.NodeSpec;
import io.surestate.api.v1.NumaNode;
import io.surestate.api.v1.Storage;
import io.surestate.scheduler.pool.DeviceClass;
import io.surestate.scheduler.pool.NodeRow;

/** Rows of nodes as the contract describes them. Pure. */
public final class NodeRows {
    private NodeRows() {}

    /** A row of that spec, without epoch and strain. */
    public static NodeRow.Builder of(String name, NodeSpec spec, FreeAmounts free) {
        NodeRow.Builder row = NodeRow.builder(name).memory(spec.getMemoryBytes(), free.memoryBytes());
        for (NumaNode place : spec.getNumaList()) {
            for (int core : place.getCoreIdsList()) {
                row.core(core, free.coreMilli(core), place.getId());
            }
        }
        for (Device device : spec.getDevicesList()) {
            DeviceClass type = new DeviceClass(
                    device.getKind(),
                    device.getModel(),
                    device.getVendor(),
                    device.getPartition(),
                    device.getMemoryBytes());
            row.device(device.getOrdinal(), type, device.getNumaNode(), free.deviceMilli(device.getOrdinal()));
        }
        for (Link link : spec.getLinksList()) {
            row.link(link.getFromOrdinal(), link.getToOrdinal(), link.getBitsPerSecond());
        }
        for (Nic nic : spec.getNicsList()) {
            row.nic(nic.getName(), nic.getBitsPerSecond(), free.nic(nic.getName()));
        }
        for (Storage storage : spec.getStorageList()) {
            row.storage(storage.getName(), storage.getCapacityBytes(), free.storage(storage.getName()));
        }
        for (Countable countable : spec.getCountablesList()) {
            row.countable(countable.getName(), countable.getAmount(), free.countable(countable.getName()));
        }
        return row;
    }
}
