package io.surestate.agent.core;

/** Milliseconds since the machine booted, suspended time included; never set back. */
public interface BootClock {
    long nowMillis();
}
