package io.surestate.agent.core;

import io.surestate.api.v1.Telemetry;

/**
 * One reading of how the machine is doing. Immutable.
 *
 * @param number grows with each reading, so that each is told once
 */
public record TelemetrySample(long number, Telemetry telemetry) {}
