package io.surestate.manifest.hardware;

import io.surestate.api.v1.DeviceTelemetry;

/**
 * How one device was doing when its tool was asked. Immutable.
 *
 * @param ailment why it must not be given out; empty = nothing is known against it
 * @param telemetry with the device's ordinal
 */
public record DeviceSigns(String ailment, DeviceTelemetry telemetry) {
    /** As the device is numbered in what was read. */
    public int ordinal() {
        return telemetry.getOrdinal();
    }
}
