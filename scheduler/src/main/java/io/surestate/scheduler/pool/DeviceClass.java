package io.surestate.scheduler.pool;

import io.surestate.api.v1.DeviceKind;

/** What devices have in common as far as a request can ask: kind and model. Immutable. */
public record DeviceClass(DeviceKind kind, String model) {}
