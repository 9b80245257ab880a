package io.surestate.scheduler.pool;

import io.surestate.api.v1.DeviceKind;

/**
 * What devices have in common as far as a request can ask. Immutable.
 *
 * @param partition profile of a partition; empty = a whole device
 * @param memoryBytes of the device; 0 = unknown
 */
public record DeviceClass(DeviceKind kind, String model, String vendor, String partition, long memoryBytes) {
    /** A whole device of which nothing else is known. */
    public DeviceClass(DeviceKind kind, String model) {
        this(kind, model, "", "", 0);
    }
}
